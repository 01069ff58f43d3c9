#include "uprobe.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sysfile.h"

#define PMU_DIRECTORY "sys/bus/event_source/devices/uprobe"

/* The targets are of 16 bytes each; see targets.S. */
void target_nop(void);
void target_push(void);
void target_ret(void);
void target_try_entry(void);
void target_try_return(void);
extern const unsigned char pristine_nop[TARGET_BYTES], pristine_push[TARGET_BYTES], pristine_ret[TARGET_BYTES],
	pristine_try_entry[TARGET_BYTES], pristine_try_return[TARGET_BYTES];

static const struct target targets[] = {
	{"nop", "nop", (const unsigned char *)target_nop, pristine_nop},
#if defined(__x86_64__)
	{"push", "push %rbp", (const unsigned char *)target_push, pristine_push},
#elif defined(__aarch64__)
	{"push", "stp x29, x30, [sp, #-16]!", (const unsigned char *)target_push, pristine_push},
#endif
	{"ret", "ret", (const unsigned char *)target_ret, pristine_ret},
	{"try-entry", "nop", (const unsigned char *)target_try_entry, pristine_try_entry},
	{"try-return", "nop", (const unsigned char *)target_try_return, pristine_try_return},
};

const struct target *target_find(const char *name)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}

struct place {
	uintptr_t address; /* in memory */
	uint64_t offset;   /* in the file */
};

static int locate(struct dl_phdr_info *info, __attribute__((unused)) size_t size, void *data)
{
	struct place *place = data;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + header->p_vaddr;

		if (header->p_type == PT_LOAD && place->address >= begin &&
		    place->address < begin + header->p_filesz) {
			place->offset = place->address - begin + header->p_offset;
			return 1;
		}
	}
	return 0;
}

/* Fills what all events of one probe have in common: the kernel's numbers for the uprobe PMU, file and offset. */
static int describe(struct perf_event_attr *attributes, const struct target *target, bool at_return,
		    struct failure *f)
{
	struct place place = {.address = (uintptr_t)target->code};
	unsigned long type, bit;
	char format[32];

	if (!sysfile_number("", &type, PMU_DIRECTORY "/type")) {
		failure_set(f, "open", ENOENT, "/" PMU_DIRECTORY "/type");
		failure_fix(f, "use a kernel with CONFIG_UPROBE_EVENTS=y and CONFIG_PERF_EVENTS=y, and mount /sys");
		return -1;
	}
	*attributes = (struct perf_event_attr){.size = sizeof(*attributes), .type = (uint32_t)type};
	if (at_return) {
		sysfile_read("", format, sizeof(format), PMU_DIRECTORY "/format/retprobe");
		if (sscanf(format, "config:%lu", &bit) != 1 || bit > 63)
			return failure_set(f, "read", 0, "/" PMU_DIRECTORY "/format/retprobe names no bit: \"%s\"",
					   format);
		attributes->config = UINT64_C(1) << bit;
	}
	if (!dl_iterate_phdr(locate, &place))
		return failure_set(f, "probe", 0, "target %s lies in no segment of this program", target->name);
	/* The kernel follows the link at once and keeps the inode: right even when the file has been renamed. */
	attributes->uprobe_path = (uintptr_t) "/proc/self/exe";
	attributes->probe_offset = place.offset;
	return 0;
}

static int attach_program(struct probe *p, int event, struct failure *f)
{
	int error;

	if (!ioctl(event, PERF_EVENT_IOC_SET_BPF, p->bpf.program))
		return 0;
	error = errno;
	failure_set(f, "ioctl PERF_EVENT_IOC_SET_BPF", error, "%s", "");
	if (error == EINVAL)
		failure_fix(f, "use a kernel with CONFIG_BPF_EVENTS=y");
	return -1;
}

/* For people, who need not know what -1 and 0 mean to perf_event_open(2). */
static void describe_site(const struct probe_site *site, char *text, size_t size)
{
	if (site->pid < 0)
		snprintf(text, size, "all processes, CPU %d", site->cpu);
	else if (site->pid)
		snprintf(text, size, "thread %d", (int)site->pid);
	else
		snprintf(text, size, "this process");
}

/*
 * A BPF program runs at every hit of its event's consumer, before the kernel looks whether the event itself is on
 * this CPU and of this thread (__uprobe_perf_func). So one event with a program sees all CPUs, and, bound to one
 * thread of a process, the whole process: what is bound is the address space (uprobe_perf_filter). Counted without a
 * program, an event sees its own CPU, or its own thread, alone.
 */
static int open_event(struct probe *p, struct perf_event_attr *attributes, const struct probe_site *site,
		      struct failure *f)
{
	int event = (int)syscall(SYS_perf_event_open, attributes, site->pid, site->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	char where[48];

	if (event < 0) {
		int error = errno;

		describe_site(site, where, sizeof(where));
		failure_set(f, "perf_event_open", error, "uprobe on %s", where);
		if (error == ENOENT || error == EOPNOTSUPP)
			failure_fix(f, "use a kernel with CONFIG_UPROBE_EVENTS=y");
		return -1;
	}
	p->events[p->count++] = event;
	return p->attach == ATTACH_BPF ? attach_program(p, event, f) : 0;
}

int probe_open(struct probe *p, const struct target *target, bool at_return, enum attach attach,
	       const struct probe_site *sites, size_t count, struct failure *f)
{
	struct perf_event_attr attributes;
	int result;

	*p = (struct probe){.attach = attach, .bpf = {.map = -1, .program = -1}};
	if (describe(&attributes, target, at_return, f) || (attach == ATTACH_BPF && bpf_counter_open(&p->bpf, f)))
		return -1;
	p->events = malloc(count * sizeof(*p->events));
	result = p->events ? 0 : failure_set(f, "malloc", ENOMEM, "%zu events", count);
	for (size_t i = 0; i < count && !result; i++)
		result = open_event(p, &attributes, &sites[i], f);
	if (result)
		probe_close(p);
	return result;
}

int probe_hand_to_bpf(struct probe *p, struct failure *f)
{
	if (bpf_counter_open(&p->bpf, f))
		return -1;
	p->attach = ATTACH_BPF;
	for (size_t i = 0; i < p->count; i++)
		if (attach_program(p, p->events[i], f))
			return -1;
	return 0;
}

static int read_event(int event, uint64_t *hits, struct failure *f)
{
	ssize_t length = read(event, hits, sizeof(*hits));

	if (length == sizeof(*hits))
		return 0;
	/* An event in error state reads as end of file (perf_read). */
	return failure_set(f, "read", length < 0 ? errno : EIO, "the count of a perf event");
}

int probe_hits(struct probe *p, const int *cpus, uint64_t *by_seat, size_t count, uint64_t *total, struct failure *f)
{
	*total = 0;
	if (p->attach == ATTACH_BPF) {
		if (bpf_counter_read(&p->bpf, f))
			return -1;
		for (size_t i = 0; i < p->bpf.cpus; i++)
			*total += p->bpf.values[i];
		for (size_t i = 0; i < count; i++)
			by_seat[i] = (size_t)cpus[i] < p->bpf.cpus ? p->bpf.values[cpus[i]] : 0;
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		if (read_event(p->events[i], &by_seat[i], f))
			return -1;
		*total += by_seat[i];
	}
	return 0;
}

/*
 * One after the other: perf_uprobe_destroy holds the kernel's event_mutex while it waits for the grace periods of a
 * consumer, so threads would queue there. Measured on x86_64, Linux 6.18: 32 events took 2.9 s from one thread, 2.7 s
 * from 32 threads, and 64 events from 64 threads 5.0 s, some 80 ms each.
 */
void probe_close(struct probe *p)
{
	for (size_t i = 0; i < p->count; i++)
		close(p->events[i]);
	free(p->events);
	if (p->attach == ATTACH_BPF)
		bpf_counter_close(&p->bpf);
	*p = (struct probe){0};
}

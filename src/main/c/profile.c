#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "can.h"
#include "protocol.h"
#include "sysfile.h"
#include "topology.h"
#include "workloads.h"

void profile_libc(char *text, size_t size)
{
#ifdef __GLIBC__
	snprintf(text, size, "glibc %s", gnu_get_libc_version());
#else
	snprintf(text, size, "other");
#endif
}

static void write_identity(struct json *j, const char *root)
{
	struct utsname names;
	char libc[32], *arch = sysfile_text(root, "proc/sys/kernel/arch"); /* since Linux 6.1 */

	json_number(j, "protocol", PROTOCOL_VERSION);
	json_text(j, "trigger", TRIGGER_VERSION);
	sysfile_write(j, "hostname", root, "proc/sys/kernel/hostname");
	if (arch)
		json_text(j, "arch", arch);
	else if (!*root && !uname(&names))
		json_text(j, "arch", names.machine);
	free(arch);
	profile_libc(libc, sizeof(libc));
	json_text(j, "libc", libc);
	json_open(j, "kernel", '{');
	sysfile_write(j, "release", root, "proc/sys/kernel/osrelease");
	sysfile_write(j, "version", root, "proc/sys/kernel/version");
	sysfile_write(j, "cmdline", root, "proc/cmdline");
	json_close(j, '{');
}

static void write_signed(struct json *j, const char *key, const char *root, const char *path)
{
	char *text = sysfile_text(root, "%s", path), *end;
	long value = text ? strtol(text, &end, 10) : 0;

	/* perf_event_paranoid may be -1: the one number of the protocol that may be negative. */
	if (text && end != text)
		json_signed(j, key, value);
	free(text);
}

static void write_settings(struct json *j, const char *root)
{
	char *memory = sysfile_text(root, "proc/meminfo");
	unsigned long long total;

	sysfile_write(j, "boost", root, "sys/devices/system/cpu/cpufreq/boost");
	sysfile_write(j, "noTurbo", root, "sys/devices/system/cpu/intel_pstate/no_turbo");
	sysfile_write(j, "clocksource", root, "sys/devices/system/clocksource/clocksource0/current_clocksource");
	write_signed(j, "paranoid", root, "proc/sys/kernel/perf_event_paranoid");
	write_signed(j, "bpfDisabled", root, "proc/sys/kernel/unprivileged_bpf_disabled");
	if (memory && sscanf(memory, "MemTotal: %llu", &total) == 1)
		json_number(j, "memKiB", total);
	free(memory);
}

#ifdef __x86_64__
/* The twelve letters that a hypervisor puts into its CPUID leaf. */
static const char *hypervisor_of_cpuid(void)
{
	static const char *const known[][2] = {
		{"KVMKVMKVM", "kvm"},	    {"Linux KVM Hv", "kvm"},  {"Microsoft Hv", "hyper-v"},
		{"VMwareVMware", "vmware"}, {"XenVMMXenVMM", "xen"},  {"TCGTCGTCGTCG", "qemu"},
		{"bhyve bhyve ", "bhyve"},  {"ACRNACRNACRN", "acrn"},
	};
	unsigned int a, b, c, d, letters[4] = {0};

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 31))
		return NULL;
	__cpuid(0x40000000, a, letters[0], letters[1], letters[2]);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp((const char *)letters, known[i][0]))
			return known[i][1];
	return "unknown";
}
#else
static const char *hypervisor_of_cpuid(void)
{
	return NULL;
}
#endif

static const char *hypervisor_of_dmi(const char *root)
{
	static const char *const known[][2] = {
		{"KVM", "kvm"},
		{"QEMU", "qemu"},
		{"VMware", "vmware"},
		{"VirtualBox", "virtualbox"},
		{"Virtual Machine", "hyper-v"},
		{"HVM domU", "xen"},
		{"Google Compute Engine", "kvm"},
	};
	char vendor[128], product[128];

	sysfile_read(root, vendor, sizeof(vendor), "sys/class/dmi/id/sys_vendor");
	sysfile_read(root, product, sizeof(product), "sys/class/dmi/id/product_name");
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(product, known[i][0]) || strstr(vendor, known[i][0]))
			return known[i][1];
	return NULL;
}

static void write_hypervisor(struct json *j, const char *root)
{
	char *type = sysfile_text(root, "sys/hypervisor/type");
	const char *name = type;

	if (!name && !*root)
		name = hypervisor_of_cpuid();
	if (!name)
		name = hypervisor_of_dmi(root);
	json_text(j, "hypervisor", name);
	free(type);
}

void profile_send(struct json *j, const char *root)
{
	struct can can = {0};

	json_begin(j, "profile");
	write_identity(j, root);
	topology_write(j, root);
	write_settings(j, root);
	write_hypervisor(j, root);
	if (!*root) {
		json_number(j, "uid", getuid());
		can_write(j, &can);
	}
	json_open(j, "workloads", '[');
	for (const struct workload *w = workload_first(); w; w = workload_next(w))
		json_text(j, NULL, w->name);
	json_close(j, '[');
	json_send(j);
	can_close(&can);
}

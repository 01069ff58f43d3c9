#include "bpf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sysfile.h"

static long sys_bpf(enum bpf_cmd command, union bpf_attr *attributes)
{
	return syscall(SYS_bpf, command, attributes, sizeof(*attributes));
}

/*
 * A per-CPU map holds a value for each possible CPU, in the order of their ids. The ids of all architectures that we
 * run on are possible without a gap, so the value at index N is that of CPU N; a gap is refused.
 */
static int count_possible_cpus(size_t *count, struct failure *f)
{
	char *text = sysfile_text("", "sys/devices/system/cpu/possible");
	struct cpuset possible;
	char why[128];
	bool known = text && cpulist_parse(text, &possible, why, sizeof(why));

	free(text);
	if (!known)
		return failure_set(f, "open", ENOENT, "/sys/devices/system/cpu/possible");
	*count = cpuset_count(&possible);
	if (!*count || !cpuset_has(&possible, (int)*count - 1))
		return failure_set(f, "bpf", 0, "the possible CPUs of this machine have gaps");
	return 0;
}

static int create_map(size_t cpus, struct failure *f)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_PERCPU_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.max_entries = 1,
		.map_name = "trapline_hits",
	};
	int map = (int)sys_bpf(BPF_MAP_CREATE, &attributes);

	return map < 0 ? failure_set(f, "bpf", errno, "create a per-CPU map for %zu CPUs", cpus) : map;
}

#define INSTRUCTION(operation, destination, source, offset, immediate)                                               \
	{                                                                                                            \
		.code = (operation), .dst_reg = (destination), .src_reg = (source), .off = (offset),                 \
		.imm = (immediate)                                                                                   \
	}

/*
 * key = 0; value = lookup(map, &key); if (value) *value += 1; return 0;
 *
 * A plain increment will do: the program stays on its CPU while it runs, and on each CPU only one pinned thread hits
 * the probe. To return 0 tells the kernel that the perf event need not be told, which saves its work.
 */
static int load_program(int map, struct failure *f)
{
	const struct bpf_insn program[] = {
		INSTRUCTION(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, 0),
		INSTRUCTION(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0),
		INSTRUCTION(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4),
		INSTRUCTION(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map),
		INSTRUCTION(0, 0, 0, 0, 0), /* the upper half of the load */
		INSTRUCTION(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		INSTRUCTION(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 3, 0),
		INSTRUCTION(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_0, 0, 0),
		INSTRUCTION(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, 1),
		INSTRUCTION(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_1, 0, 0),
		INSTRUCTION(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0),
		INSTRUCTION(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (uintptr_t) "Dual MIT/GPL",
		.prog_name = "trapline_count",
	};
	int loaded = (int)sys_bpf(BPF_PROG_LOAD, &attributes);

	return loaded < 0 ? failure_set(f, "bpf", errno, "load the counting program") : loaded;
}

int bpf_counter_open(struct bpf_counter *b, struct failure *f)
{
	*b = (struct bpf_counter){.map = -1, .program = -1};
	if (count_possible_cpus(&b->cpus, f))
		return -1;
	b->values = calloc(b->cpus, sizeof(*b->values));
	if (!b->values)
		return failure_set(f, "malloc", ENOMEM, "hits of %zu CPUs", b->cpus);
	b->map = create_map(b->cpus, f);
	if (b->map >= 0)
		b->program = load_program(b->map, f);
	if (b->program >= 0)
		return 0;
	bpf_counter_close(b);
	return -1;
}

int bpf_counter_read(struct bpf_counter *b, struct failure *f)
{
	const uint32_t key = 0;
	union bpf_attr attributes = {
		.map_fd = (uint32_t)b->map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)b->values,
	};

	if (sys_bpf(BPF_MAP_LOOKUP_ELEM, &attributes))
		return failure_set(f, "bpf", errno, "read the hits");
	return 0;
}

void bpf_counter_close(struct bpf_counter *b)
{
	if (b->program >= 0)
		close(b->program);
	if (b->map >= 0)
		close(b->map);
	free(b->values);
	*b = (struct bpf_counter){.map = -1, .program = -1};
}

/*
 * The probed functions, in assembly so that no compiler changes them: their first instruction decides which way the
 * kernel takes (x86_64: nop and push are emulated, ret is single-stepped; arm64: ret is simulated, nop since 6.13,
 * stp is single-stepped).
 *
 * Each is assembled twice: as code, and as data that no probe ever touches, against which the code is compared.
 */
#if defined(__x86_64__)

	.macro body_nop
	nop
	ret
	.endm

	.macro body_push
	push	%rbp
	pop	%rbp
	ret
	.endm

	.macro body_ret
	ret
	.endm

#elif defined(__aarch64__)

	.macro body_nop
	nop
	ret
	.endm

	.macro body_push
	stp	x29, x30, [sp, #-16]!
	ldp	x29, x30, [sp], #16
	ret
	.endm

	.macro body_ret
	ret
	.endm

#else
#error "no targets for this architecture: give its bodies here, and their names in uprobe.c"
#endif

	.macro target name, body
	.text
	.balign 64
	.globl	target_\name
	.type	target_\name, %function
target_\name:
	body_\body
	.balign 16, 0
	.size	target_\name, . - target_\name

	.section .rodata
	.balign 16
	.globl	pristine_\name
	.type	pristine_\name, %object
pristine_\name:
	body_\body
	.balign 16, 0
	.size	pristine_\name, . - pristine_\name
	.endm

	target nop, nop
	target push, push
	target ret, ret

	/* What profile tries probes on: nops again, which no trial ever calls, so that a try adds no hit to one. */
	target try_entry, nop
	target try_return, nop

	.section .note.GNU-stack, "", %progbits

package io.trapline.campaign;

import java.nio.file.Path;
import java.util.Map;

/**
 * Reads campaign files: YAML 1.2, UTF-8, at most 1 MiB, one document. What is wrong is told all at once, each with its
 * line and column; only after a syntax error is nothing else known. What the machines lack is told once the file itself
 * is right, again all at once ({@link Planner}). All keys, with their defaults:
 *
 * <pre>{@code
 * apiVersion: trapline/v1                # required
 * kind: Campaign                         # required
 * metadata:
 *   name: uprobe-filter                  # required; a-z, 0-9 and inner hyphens, at most 63 (an RFC 1123 label)
 * spec:
 *   question: Does it scale?             # none
 *   paths:                               # required, two or more; the first is the baseline
 *     - name: locked                     # required; letters, digits and inner . _ -, at most 63
 *       attach: {scope: pid}             # overrides spec.attach, key by key
 *       variant: {altstack: swap}        # overrides spec.variant, key by key
 *       hosts: {select: "kernel<6.15"}   # none: all that the campaign selects
 *       kernel: debian:6.12              # none: the host's own; else booted in a guest: a file or debian:VERSION[/ARCH]
 *   attach:                              # for all paths; only probes look at it
 *     with: bpf                          # bpf: a program that counts hits; perf: a counting event
 *     scope: system                      # system: probes watch all processes; pid: the measured ones alone
 *   variant:                             # for all paths; only signals look at it
 *     altstack: same                     # same: the handler leaves the alternate stack; swap: it sets another
 *     call: direct                       # direct: tgkill(2); libc: raise(3)
 *   workloads: [uprobe-nop, uprobe-ret]  # required
 *   models: [threads]                    # threads, processes, per-numa-node
 *   cpus: powers-of-two                  # or topology, all, or a list of counts
 *   clip: false                          # true: counts beyond a host are left out, not refused
 *   placement: compact                   # or scatter, or CPU ids: "0-3,8" or [0, 2, 4]
 *   guest: {cpus: 2, memory: 512M}       # of paths with a kernel; also nodes: [0-1, 2-3], distances: ["0,1=21"],
 *                                        # append: TEXT, accelerator: best (kvm where it works), kvm or emulation
 *   timing: {warmup: 500ms, interval: 100ms, measure: 2s, rounds: 5}
 *                                        # exact: true counts instructions, in guests of one CPU
 *   hosts:                               # none: all hosts, each for itself
 *     select: kernel>=6.10               # none: all
 *     run: each                          # or together: each trial on all hosts at the same moment
 *     skew: 5ms                          # how far apart their starts may be
 *   onLoss: repeat                       # or fail, partial
 *   deadline: 30m                        # none; how long the run may take, from its start or resumption
 *   gate: {slower: 3%}                   # none; needs two rounds or more
 * }</pre>
 *
 * A duration is a whole number and ns, us, ms, s or m: {@code 500ms}. A percentage is a number and %: {@code 3%}. A
 * selector is {@code TERM and TERM ...}; see {@link Selector}.
 */
public final class CampaignReader {
    /** The file format that is read. */
    public static final String API_VERSION = "trapline/v1";

    /** The only kind of document. */
    public static final String KIND = "Campaign";

    private CampaignReader() {}

    /**
     * The text of a campaign file as it stands there; {@link #parse} makes sense of it.
     *
     * @throws CampaignException when it can't be read, is too large, or is not UTF-8
     */
    public static String text(Path file) throws CampaignException {
        return CampaignText.read(file);
    }

    /**
     * Reads a campaign's text.
     *
     * @param file what to call it in messages
     * @throws CampaignException with everything that is wrong in it
     */
    public static Campaign parse(String file, String text) throws CampaignException {
        return parse(file, text, Map.of());
    }

    /**
     * The same with kernels that the file does not name.
     *
     * @param kernels by the path's name; they replace the file's
     */
    public static Campaign parse(String file, String text, Map<String, String> kernels) throws CampaignException {
        Problems problems = new Problems(file);
        return new DocumentReader(YamlDocument.root(text, problems), kernels, problems).campaign();
    }
}

package io.trapline.host;

/**
 * What a host is asked to run.
 *
 * @param id names the trial and its attempt in every line about it
 * @param cpus one thread each; all usable on that host
 */
public record TrialSpec(String id, Workload workload, Model model, CpuSet cpus, Method method, Timing timing) {}

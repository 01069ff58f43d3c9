package io.trapline.campaign;

import io.trapline.host.CpuSet;
import io.trapline.host.Model;
import io.trapline.host.Workload;

/**
 * One point of a campaign.
 *
 * @param path the path's name
 * @param cpus the CPUs that its CPU count means on that host
 * @param host the host's name
 */
public record Cell(String path, Workload workload, Model model, CpuSet cpus, String host) {}

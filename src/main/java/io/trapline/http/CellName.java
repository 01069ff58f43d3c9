package io.trapline.http;

import io.trapline.campaign.Cell;

/**
 * A cell, as {@code report.json} names it.
 *
 * @param cpus how many
 * @param cpuList which, as {@code 0-3,8}
 */
public record CellName(String path, String workload, String model, int cpus, String cpuList, String host) {
    /** The name of that cell. */
    public static CellName of(Cell cell) {
        return new CellName(
                cell.path(),
                cell.workload().name(),
                cell.model().spelling(),
                cell.cpus().size(),
                cell.cpus().toString(),
                cell.host());
    }
}

package io.trapline.campaign;

import java.util.List;
import java.util.stream.Collectors;

/** A campaign that can't be run, with all that is wrong with it at once. */
public final class CampaignException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** At least one problem, in the file's order. */
    public CampaignException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}

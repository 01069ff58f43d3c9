package io.trapline.cli;

import java.util.List;

/** The training of the class-data archive, see {@code deploy/lib/build.sh}: what it has loaded, later starts need not. */
final class Training {
    private static final List<String> FIRST = List.of("--help", "inspect");

    private Training() {}

    /** Runs commands that are to start fast, and then the one that is given; ends with its exit code. */
    public static void main(String[] args) {
        FIRST.forEach(Main::execute);
        System.exit(Main.execute(args));
    }
}

package io.trapline.host.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a guest's kernel writes to its console, in a file that QEMU writes. */
record Console(Path file) {
    private static final int SHOWN_LINES = 20;
    private static final int SEARCHED_LINES = 200;

    /** What a kernel says last. The second is the x86 decompressor's word for an image that it can't unpack. */
    private static final List<Pattern> LAST_WORDS =
            List.of(Pattern.compile("Kernel panic - not syncing: (.*)"), Pattern.compile("-- (System halted)"));

    private static final Pattern OUT_OF_MEMORY = Pattern.compile(
            "out of memory|deadlocked on memory|(failed|can ?not) (to )?alloc", Pattern.CASE_INSENSITIVE);

    /**
     * One that nothing has been written to: of {@code NAME.log}, {@code NAME.2.log} and so on the first such. What an
     * earlier guest has left stays where its own messages say that it is.
     */
    static Console unused(Path wanted) {
        Console console = new Console(wanted);
        String name = wanted.getFileName().toString();
        int dot = name.lastIndexOf('.') < 0 ? name.length() : name.lastIndexOf('.');
        for (int guest = 2; console.size() > 0; guest++) {
            console = new Console(wanted.resolveSibling(name.substring(0, dot) + "." + guest + name.substring(dot)));
        }
        return console;
    }

    /** Whether its kernel has ended since it had no memory left, early (mm/memblock.c's users) or late (mm/oom_kill.c). */
    boolean ranOutOfMemory() {
        return end().filter(why -> OUT_OF_MEMORY.matcher(why).find()).isPresent();
    }

    /** How much has been written. */
    long size() {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // QEMU has not made it yet
        }
    }

    /** Why the kernel has ended; empty while it has not said so. */
    Optional<String> end() {
        String text = LastLines.of(file, SEARCHED_LINES);
        return LAST_WORDS.stream()
                .map(pattern -> pattern.matcher(text))
                .filter(Matcher::find)
                .map(matcher -> "its kernel ended: " + matcher.group(1).strip())
                .findFirst();
    }

    /** The last lines, as the end of a message. */
    String tail() {
        return "\nThe console's last lines (all are in " + file + "):\n" + LastLines.of(file, SHOWN_LINES);
    }
}

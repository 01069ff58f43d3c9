package io.trapline.trigger;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The native program as a file: where it is, and whether it can run here. */
public final class TriggerProgram {
    /** The system property that names it. */
    public static final String PROPERTY = "trapline.trigger";

    private static final String NAME = "trapline-trigger";
    private static final String BUILD = "build it on this machine with make -C src/main/c";
    private static final int ELF_HEADER = 20;
    private static final int ELF_MAGIC = 0x464c457f;

    /** e_machine of ELF headers, by the JVM's name of the architecture. */
    private static final Map<String, Integer> MACHINES = Map.of("amd64", 62, "aarch64", 183);

    private TriggerProgram() {}

    /**
     * Where it is: what the system property {@value #PROPERTY} says, else {@code ../bin/trapline-trigger} as seen from
     * the directory of the program's jar.
     *
     * @throws TriggerException when there is nothing, naming the place and the property
     */
    public static Path find() throws TriggerException {
        return find(Optional.ofNullable(System.getProperty(PROPERTY)), codeDirectory());
    }

    static Path find(Optional<String> named, Path codeDirectory) throws TriggerException {
        Path beside = codeDirectory.resolveSibling("bin").resolve(NAME);
        Path program = named.map(Path::of).orElse(beside);
        if (!Files.exists(program)) {
            throw new TriggerException(
                    named.isPresent()
                            ? "%s: no such file, though -D%s names it; %s".formatted(program, PROPERTY, BUILD)
                            : "%s: no such file, and no -D%s names another; %s".formatted(program, PROPERTY, BUILD));
        }
        return program;
    }

    private static Path codeDirectory() {
        try {
            return Path.of(TriggerProgram.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toAbsolutePath()
                    .getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the program's own place has no path", e);
        }
    }

    /**
     * Checks what would fail in a confusing way when started: Java hands a program of another architecture to the
     * shell, which then complains about its syntax.
     *
     * @throws TriggerException when it can't be run, and what to do
     */
    static void check(Path program) throws TriggerException {
        if (!Files.exists(program)) {
            throw new TriggerException(program + ": no such file; " + BUILD);
        }
        if (Files.isDirectory(program)) {
            throw new TriggerException(program + ": is a directory; name the program inside it");
        }
        if (!Files.isExecutable(program)) {
            throw new TriggerException(program + ": may not be executed; chmod +x it");
        }
        checkArchitecture(program);
    }

    private static void checkArchitecture(Path program) throws TriggerException {
        ByteBuffer header;
        try (InputStream in = Files.newInputStream(program)) {
            header = ByteBuffer.wrap(in.readNBytes(ELF_HEADER)).order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            throw new TriggerException(program + ": can't be read: " + e.getMessage());
        }
        if (header.limit() < ELF_HEADER || header.getInt(0) != ELF_MAGIC) {
            return; // a script, or something that will say for itself what is wrong with it
        }
        String here = System.getProperty("os.arch");
        int machine = header.getShort(18);
        if (machine != MACHINES.getOrDefault(here, machine)) {
            throw new TriggerException("%s: is built for another architecture (ELF machine %d) than this JVM's, %s; "
                            .formatted(program, machine, here)
                    + BUILD);
        }
    }
}

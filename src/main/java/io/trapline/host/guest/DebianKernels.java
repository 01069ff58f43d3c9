package io.trapline.host.guest;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Debian's cloud kernels, fetched once through this machine's own apt: its sources, its keys, its proxy, so that what
 * comes is what apt has verified. The lists of packages are apt's too, but kept beside the kernels: the machine's own
 * stay as they are, another architecture needs no change to dpkg, and nobody needs to be root.
 */
public final class DebianKernels {
    private static final Duration TO_UPDATE = Duration.ofMinutes(3);
    private static final Duration TO_DOWNLOAD = Duration.ofMinutes(5);
    private static final Duration TO_LOOK = Duration.ofSeconds(30);
    private static final Duration TO_UNPACK = Duration.ofMinutes(1);
    private static final String IMAGE = "vmlinuz-";
    private static final String PACKAGE = "package";
    private static final Pattern NUMBER_OR_TEXT = Pattern.compile("\\d+|\\D+");

    private final Path cache;

    /** @param cache the directory where kernels are kept; made when it is needed */
    public DebianKernels(Path cache) {
        this.cache = cache.toAbsolutePath();
    }

    /** With the cache below the user's own: {@code $XDG_CACHE_HOME/trapline/kernels}, by default in ~/.cache. */
    public static DebianKernels ofUser() {
        Path base = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(home -> !home.isEmpty())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        return new DebianKernels(base.resolve("trapline").resolve("kernels"));
    }

    /**
     * The image of the newest cloud kernel of that version. What is in the cache is taken from there, however old and
     * without any network; to have a newer one, remove its directory.
     *
     * @param version two numbers, such as 6.12
     * @throws GuestException when there is no apt, it fails, or its sources have no such kernel
     */
    public Path fetch(String version, Arch arch) throws GuestException {
        Path kept = cache.resolve("debian-" + version + "-" + arch.debian());
        Optional<Path> image = imageIn(kept);
        return image.isPresent() ? image.get() : fetchInto(kept, version, arch);
    }

    /** The name and version of the package that a fetched image came in; its name alone where that was not kept. */
    static String packageOf(Path image) throws IOException {
        Path kept = image.resolveSibling(PACKAGE);
        return Files.exists(kept)
                ? Files.readString(kept).strip()
                : "linux-image-" + image.getFileName().toString().substring(IMAGE.length());
    }

    private Path fetchInto(Path kept, String version, Arch arch) throws GuestException {
        try {
            Files.createDirectories(cache);
            Path scratch = Files.createTempDirectory(cache, "fetching-");
            try {
                fetch(scratch, version, arch);
                move(scratch.resolve("boot"), kept);
            } finally {
                Scratch.remove(scratch);
            }
        } catch (IOException e) {
            throw new GuestException(cache + ": kernels can't be kept there: " + e.getMessage());
        }
        return imageIn(kept).orElseThrow(() -> new GuestException(kept + ": holds no vmlinuz; remove it"));
    }

    /** Another program may have been faster, which is as good. */
    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            return;
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("it is no place for a directory: " + e.getMessage(), e);
        }
    }

    private static Optional<Path> imageIn(Path directory) throws GuestException {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().startsWith(IMAGE))
                    .findFirst();
        } catch (IOException e) {
            throw new GuestException(directory + ": can't be read: " + e.getMessage());
        }
    }

    private static void fetch(Path scratch, String version, Arch arch) throws IOException, GuestException {
        Map<String, String> environment =
                Map.of("APT_CONFIG", configure(scratch, arch).toString(), "LC_ALL", "C");
        apt(scratch, environment, TO_UPDATE, "apt-get", "-q", "update");
        String names = apt(scratch, environment, TO_LOOK, "apt-cache", "pkgnames", "linux-image-");
        String chosen = newest(names, version, arch);
        apt(scratch, environment, TO_DOWNLOAD, "apt-get", "-q", "download", chosen);
        Path deb = downloaded(scratch);
        List<String> show = List.of("dpkg-deb", "--show", "--showformat=${Package} ${Version}", deb.toString());
        String name = Tool.run(show, scratch, environment, TO_LOOK);
        Tool.pipeline(
                List.of(
                        List.of("dpkg-deb", "--fsys-tarfile", deb.toString()),
                        List.of("tar", "-x", "--no-same-owner", "--wildcards", "./boot/vmlinuz-*")),
                scratch,
                environment,
                TO_UNPACK);
        Files.writeString(scratch.resolve("boot").resolve(PACKAGE), name);
    }

    private static String apt(Path scratch, Map<String, String> environment, Duration within, String... line)
            throws GuestException {
        try {
            return Tool.run(List.of(line), scratch, environment, within);
        } catch (GuestException e) {
            throw new GuestException("debian: kernels are fetched by apt, and that failed: " + e.getMessage()
                    + "\nA kernel can also be given as a file: kernel: path/to/vmlinuz");
        }
    }

    /** A state of apt's own that knows only this architecture. Where packages come from stays the machine's to say. */
    private static Path configure(Path scratch, Arch arch) throws IOException {
        Files.createDirectories(scratch.resolve("state/lists/partial"));
        Files.createDirectories(scratch.resolve("cache/archives/partial"));
        Files.createFile(scratch.resolve("status"));
        return Files.writeString(scratch.resolve("apt.conf"), """
                Dir::State "%1$s/state";
                Dir::State::status "%1$s/status";
                Dir::Cache "%1$s/cache";
                APT::Architecture "%2$s";
                APT::Architectures { "%2$s"; };
                Acquire::Languages "none";
                """.formatted(scratch, arch.debian()));
    }

    /** The name of the newest package, of all that apt knows by that beginning. */
    static String newest(String names, String version, Arch arch) throws GuestException {
        Pattern cloud = Pattern.compile("linux-image-((\\d+\\.\\d+)\\.\\d\\S*)-cloud-" + arch.debian());
        Comparator<Matcher> byRelease = (a, b) -> compareByNumbers(a.group(1), b.group(1));
        List<Matcher> known = names.lines()
                .map(name -> cloud.matcher(name.strip()))
                .filter(Matcher::matches)
                .toList();
        Optional<String> newest = known.stream()
                .filter(name -> name.group(2).equals(version))
                .max(byRelease)
                .map(Matcher::group);
        List<String> versions = known.stream()
                .map(name -> name.group(2))
                .distinct()
                .sorted(DebianKernels::compareByNumbers)
                .toList();
        return newest.orElseThrow(() -> new GuestException(
                "debian:%s: the package sources of this machine have no linux-image-%s.*-cloud-%s; they have %s. Take one of those, add the suite of Debian that has it to apt's sources (bookworm has 6.1, trixie 6.12), or give the kernel as a file: kernel: path/to/vmlinuz"
                        .formatted(
                                version,
                                version,
                                arch.debian(),
                                versions.isEmpty() ? "no cloud kernel at all" : String.join(", ", versions))));
    }

    /** 6.1.0-9 before 6.1.0-10. */
    private static int compareByNumbers(String one, String other) {
        List<String> ones = parts(one);
        List<String> others = parts(other);
        for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
            int compared = PART.compare(ones.get(i), others.get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(ones.size(), others.size());
    }

    private static final Comparator<String> PART =
            Comparator.comparingLong(DebianKernels::number).thenComparing(Comparator.naturalOrder());

    private static long number(String part) {
        return Character.isDigit(part.charAt(0)) ? Long.parseLong(part) : -1;
    }

    private static List<String> parts(String text) {
        return NUMBER_OR_TEXT.matcher(text).results().map(r -> r.group()).collect(Collectors.toList());
    }

    private static Path downloaded(Path scratch) throws IOException, GuestException {
        try (Stream<Path> files = Files.list(scratch)) {
            return files.filter(f -> f.getFileName().toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow(() -> new GuestException("apt-get download ended well and left no package"));
        }
    }
}

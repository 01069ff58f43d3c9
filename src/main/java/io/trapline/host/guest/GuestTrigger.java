package io.trapline.host.guest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The native program for guests of an architecture. */
final class GuestTrigger {
    private GuestTrigger() {}

    /**
     * Where it is: this machine's own, or one of another architecture in a directory of that name beside it.
     *
     * @throws GuestException when it was not built, and what builds it
     */
    static Path of(Path own, Arch arch) throws GuestException {
        if (Optional.of(arch).equals(Arch.here())) {
            return own;
        }
        Path other = own.resolveSibling(arch.spelling()).resolve(own.getFileName());
        if (!Files.isRegularFile(other)) {
            String compiler = "gcc-" + arch.spelling().replace('_', '-') + "-linux-gnu";
            throw new GuestException(("%s: no such file: the trigger was not built for %s guests. Install the compiler"
                            + " and build again: apt-get install %s libc6-dev-%s-cross; make -C src/main/c")
                    .formatted(other, arch.spelling(), compiler, arch.debian()));
        }
        return other;
    }
}

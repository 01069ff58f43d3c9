package io.trapline.campaign;

import io.trapline.host.guest.Arch;
import io.trapline.host.guest.GuestSpec.KernelSource;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code kernel: FILE} and {@code kernel: debian:VERSION[/ARCH]}. */
final class KernelReader {
    private static final String DEBIAN = "debian:";
    private static final Pattern FORM = Pattern.compile("debian:(\\d{1,4}\\.\\d{1,4})(?:/(\\w+))?");

    private KernelReader() {}

    /**
     * Where a kernel comes from. The file is not looked at: it need not be on the machine that reads the campaign.
     *
     * @param text as given
     * @param value what problems are noted for
     */
    static Optional<KernelSource> read(String text, Value value) {
        if (!text.startsWith(DEBIAN)) {
            return Optional.of(new KernelSource.Image(Path.of(text)));
        }
        Matcher form = FORM.matcher(text);
        Optional<String> arch = form.matches() ? Optional.ofNullable(form.group(2)) : Optional.empty();
        if (!form.matches() || (arch.isPresent() && arch.flatMap(Arch::named).isEmpty())) {
            value.refuse(
                    "is " + Quoted.of(text)
                            + "; a Debian kernel is debian:VERSION or debian:VERSION/ARCH, with two numbers and x86_64 or aarch64",
                    "such as debian:6.12 or debian:6.1/aarch64");
            return Optional.empty();
        }
        return Optional.of(new KernelSource.Debian(form.group(1), arch.flatMap(Arch::named)));
    }
}

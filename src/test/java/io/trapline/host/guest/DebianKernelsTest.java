package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebianKernelsTest {
    private static final String NAMES = """
            linux-image-6.1.0-9-cloud-amd64
            linux-image-6.1.0-57-cloud-amd64
            linux-image-6.1.0-57-cloud-amd64-dbg
            linux-image-6.1.0-58-cloud-amd64-unsigned
            linux-image-6.1.0-99-amd64
            linux-image-6.12-cloud-amd64
            linux-image-6.12.9+deb12-cloud-amd64
            linux-image-6.12.74+deb13+1-cloud-amd64
            linux-image-6.12.74+deb13-cloud-amd64
            linux-image-6.12.117+deb12-cloud-arm64
            linux-image-cloud-amd64
            """;

    @ParameterizedTest
    @CsvSource({
        "6.1, X86_64, linux-image-6.1.0-57-cloud-amd64",
        "6.12, X86_64, linux-image-6.12.74+deb13+1-cloud-amd64",
        "6.12, AARCH64, linux-image-6.12.117+deb12-cloud-arm64"
    })
    void takesTheNewestOfThatVersion(String version, Arch arch, String chosen) throws GuestException {
        assertThat(DebianKernels.newest(NAMES, version, arch)).isEqualTo(chosen);
    }

    @Test
    void namesTheVersionsThatThereAre() {
        assertThatThrownBy(() -> DebianKernels.newest(NAMES, "6.6", Arch.X86_64))
                .isInstanceOf(GuestException.class)
                .hasMessageContaining("no linux-image-6.6.*-cloud-amd64; they have 6.1, 6.12. Take one of those")
                .hasMessageContaining("kernel: path/to/vmlinuz");
        assertThatThrownBy(() -> DebianKernels.newest("", "6.6", Arch.X86_64))
                .hasMessageContaining("they have no cloud kernel at all");
    }

    @Test
    void usesWhatIsKept(@TempDir Path cache) throws IOException, GuestException {
        Path kept = Files.createDirectory(cache.resolve("debian-9.99-arm64"));
        Path image = Files.createFile(kept.resolve("vmlinuz-9.99.0-1-cloud-arm64"));
        assertThat(new DebianKernels(cache).fetch("9.99", Arch.AARCH64)).isEqualTo(image);
    }
}

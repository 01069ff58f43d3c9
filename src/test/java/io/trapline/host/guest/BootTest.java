package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BootTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"X86_64, qemu-system-x86_64, qemu-system-x86", "AARCH64, qemu-system-aarch64, qemu-system-arm"})
    void namesThePackageOfAnEmulatorThatIsMissing(Arch arch, String program, String debianPackage) throws Exception {
        assertThatThrownBy(() -> Boot.checkQemu(arch, directory + ":/nonexistent"))
                .isInstanceOf(GuestException.class)
                .hasMessageStartingWith(program + ": not on the PATH")
                .hasMessageEndingWith("apt-get install " + debianPackage);
        Path there = Files.createFile(directory.resolve(program));
        assertThat(there.toFile().setExecutable(true)).isTrue();
        Boot.checkQemu(arch, "/nonexistent:" + directory);
    }

    @Test
    void namesTheCompilerOfATriggerThatIsMissing() {
        Arch other = Arch.here().orElseThrow() == Arch.X86_64 ? Arch.AARCH64 : Arch.X86_64;
        Path own = directory.resolve("trapline-trigger");
        assertThatThrownBy(() -> GuestTrigger.of(own, other))
                .isInstanceOf(GuestException.class)
                .hasMessageContaining(directory.resolve(other.spelling()) + "/trapline-trigger: no such file")
                .hasMessageContaining("gcc-" + other.spelling().replace('_', '-') + "-linux-gnu");
    }
}

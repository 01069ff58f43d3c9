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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "nothing",
            value = {
                "512 | Kernel panic - not syncing: System is deadlocked on memory | ran out of its 512 MiB of memory: give it more",
                "512 | Kernel panic - not syncing: Out of memory and no killable processes... | ran out of its 512 MiB",
                "80 | Kernel panic - not syncing: pcpu_embed: Failed to allocate 4096 bytes align=0x1000 | ran out of its 80 MiB",
                "64 | Probing EDD (edd=off to disable)... ok | may have too little with 64 MiB",
                "64 | Kernel panic - not syncing: No working init found. | nothing",
                "512 | Probing EDD (edd=off to disable)... ok | nothing"
            })
    void tellsToGiveMoreMemoryWhereThatIsIt(int memory, String last, String told) throws Exception {
        Console console = new Console(Files.writeString(directory.resolve("console.log"), last + "\n"));
        if (told == null) {
            assertThat(Boot.moreMemory(memory, console)).isEmpty();
        } else {
            assertThat(Boot.moreMemory(memory, console)).contains(told);
        }
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

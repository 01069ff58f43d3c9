package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one process has to itself; that another process is refused too is tried with processes. */
@SuppressWarnings("try") // a claim is held, not used
class ClaimTest {
    @TempDir
    private Path directory;

    @Test
    void whoComesSecondIsToldWhoHasItAndGetsItOnceItIsGivenFree() throws IOException {
        Path file = directory.resolve("new/lock");
        try (Claim first = Claim.take(file, "the cellar", "the cook")) {
            assertThatThrownBy(() -> Claim.take(file, "the cellar", "the gardener"))
                    .isInstanceOf(Claim.TakenException.class)
                    .hasMessageContaining("the cellar is taken by the cook")
                    .hasMessageContaining(file.toString());
        }
        try (Claim second = Claim.take(file, "the cellar", "it")) {
            assertThat(file).as("a longer name of before leaves nothing").hasContent("it");
        }
    }

    @Test
    void whatADeadProcessLeftIsNoClaim() throws IOException {
        Path file = Files.writeString(directory.resolve("lock"), "one that is dead");

        Claim.take(file, "the cellar", "the cook").close();
    }

    @Test
    void aFileThatCantBeMadeIsNamed() {
        assertThatThrownBy(() -> Claim.take(Path.of("/proc/none/lock"), "the cellar", "the cook"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/proc/none");
    }
}

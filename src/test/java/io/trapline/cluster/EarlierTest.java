package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.host.HostProfile;
import io.trapline.host.guest.Accelerator;
import io.trapline.host.guest.KernelUsed;
import io.trapline.journal.SampleRun;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Whether a run can go on where it began. */
class EarlierTest {
    private static final HostProfile BEFORE = guest(Accelerator.KVM, "aaaa");

    @Test
    void aGuestOfTheSameImageUnderTheSameAcceleratorIsTheSame() {
        assertThat(Earlier.changed(BEFORE, guest(Accelerator.KVM, "aaaa"))).isEmpty();
    }

    /** A kernel that was built again may call itself what the first one did. */
    @Test
    void anotherImageIsAnotherHostWhateverItCallsItself() {
        assertThat(Earlier.changed(BEFORE, guest(Accelerator.KVM, "bbbb")))
                .isEqualTo("was booted under kvm from after/bzImage with SHA-256 bbbb, and"
                        + " under kvm from after/bzImage with SHA-256 aaaa when this run began");
    }

    @Test
    void anotherAcceleratorIsAnotherHost() {
        assertThat(Earlier.changed(BEFORE, guest(Accelerator.EMULATION, "aaaa")))
                .startsWith("was booted under emulation from");
    }

    private static HostProfile guest(Accelerator accelerator, String sha256) {
        KernelUsed kernel = new KernelUsed(
                "after/bzImage", "/home/me/after/bzImage", sha256, "x86_64", Optional.empty(), Optional.empty());
        return SampleRun.host("(none)")
                .asGuest(
                        "after@box",
                        new HostProfile.Guest(
                                "box",
                                "after",
                                accelerator,
                                OptionalInt.empty(),
                                Optional.empty(),
                                Optional.of(kernel),
                                Optional.empty()));
    }
}

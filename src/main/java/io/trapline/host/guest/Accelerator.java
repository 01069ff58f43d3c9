package io.trapline.host.guest;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.trapline.host.Spelled;

/** What runs a guest's instructions. */
public enum Accelerator implements Spelled {
    /** The CPU itself. */
    @JsonProperty("kvm")
    KVM("kvm"),
    /** QEMU's translator, one host thread a CPU: times are not hardware times. */
    @JsonProperty("emulation")
    EMULATION("emulation"),
    /** The same on one thread, and the guest's clock counts instructions. */
    @JsonProperty("counted")
    COUNTED("instruction-counted emulation");

    private final String spelling;

    Accelerator(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }
}

package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.host.CpuSet;
import io.trapline.host.guest.GuestSpec.Distance;
import io.trapline.host.guest.GuestSpec.KernelSource;
import io.trapline.host.guest.GuestSpec.Node;
import io.trapline.host.guest.GuestSpec.Wanted;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QemuCommandTest {
    @Test
    void givesEachArchitectureItsPorts() {
        String x86 = line(Arch.X86_64, spec(2, List.of(), List.of(), "quiet"), Accelerator.EMULATION);
        assertThat(x86)
                .startsWith("qemu-system-x86_64 ")
                .contains("-machine pc -cpu qemu64", "-accel tcg,thread=multi", "-smp 2 -m 512M")
                .contains("console=ttyS0", "trapline.port=ttyS1", "panic=-1 ", " quiet")
                .contains("-chardev file,id=console,path=/a,,b/console.log -serial chardev:console")
                .contains("-chardev stdio,id=port,signal=off -serial chardev:port")
                .doesNotContain("-numa", "icount", "nokaslr");
        String arm64 = line(Arch.AARCH64, spec(2, List.of(), List.of(), ""), Accelerator.EMULATION);
        assertThat(arm64)
                .startsWith("qemu-system-aarch64 ")
                .contains("-machine virt,gic-version=3 -cpu cortex-a57")
                .contains("console=ttyAMA0", "trapline.port=ttyS0", "-device pci-serial,chardev=port");
    }

    @Test
    void usesTheCpuItselfUnderKvm() {
        assertThat(line(Arch.X86_64, spec(2, List.of(), List.of(), ""), Accelerator.KVM))
                .contains("-cpu host -accel kvm ");
        assertThat(line(Arch.AARCH64, spec(2, List.of(), List.of(), ""), Accelerator.KVM))
                .contains("-machine virt,gic-version=host -cpu host -accel kvm ");
    }

    @Test
    void countsInstructionsWhenExact() {
        GuestSpec exact = new GuestSpec(kernel(), 1, 512, List.of(), List.of(), "", Wanted.BEST, true);
        assertThat(line(Arch.X86_64, exact, Accelerator.COUNTED))
                .contains("-accel tcg,thread=single -icount shift=1,sleep=off -rtc base=2000-01-01,clock=vm -smp 1 ")
                .contains(" nokaslr norandmaps");
    }

    @Test
    void laysOutNodesWithHolesAndMemoryAlone() {
        List<Node> nodes =
                List.of(new Node(CpuSet.of(0, 1, 3), 256), new Node(CpuSet.of(2), 128), new Node(CpuSet.EMPTY, 128));
        assertThat(line(Arch.X86_64, spec(4, nodes, List.of(), ""), Accelerator.EMULATION))
                .contains("-object memory-backend-ram,id=memory0,size=256M"
                        + " -numa node,nodeid=0,memdev=memory0,cpus=0-1,cpus=3"
                        + " -object memory-backend-ram,id=memory1,size=128M"
                        + " -numa node,nodeid=1,memdev=memory1,cpus=2"
                        + " -object memory-backend-ram,id=memory2,size=128M"
                        + " -numa node,nodeid=2,memdev=memory2 ")
                .doesNotContain("dist,");
        assertThat(line(Arch.X86_64, spec(4, nodes, List.of(new Distance(2, 0, 51)), ""), Accelerator.EMULATION))
                .contains("dist,src=0,dst=0,val=10", "dist,src=0,dst=1,val=20", "dist,src=0,dst=2,val=51")
                .contains("dist,src=2,dst=0,val=51", "dist,src=1,dst=2,val=20");
    }

    private static GuestSpec spec(int cpus, List<Node> nodes, List<Distance> distances, String append) {
        return new GuestSpec(kernel(), cpus, 512, nodes, distances, append, Wanted.BEST, false);
    }

    private static KernelSource kernel() {
        return new KernelSource.Image(Path.of("bzImage"));
    }

    private static String line(Arch arch, GuestSpec spec, Accelerator accelerator) {
        return String.join(
                " ",
                new QemuCommand(
                                spec,
                                new KernelImage(Path.of("bzImage"), arch, Optional.empty()),
                                Path.of("/a,b/initramfs"),
                                Path.of("/a,b/console.log"),
                                Path.of("/a,b/control"),
                                accelerator)
                        .line());
    }
}

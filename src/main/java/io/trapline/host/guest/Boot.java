package io.trapline.host.guest;

import io.trapline.host.guest.GuestSpec.KernelSource;
import io.trapline.host.guest.GuestSpec.Wanted;
import io.trapline.trigger.Trigger;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** From what a campaign asks for to a guest that runs. */
final class Boot {
    private static final Path KVM_DEVICE = Path.of("/dev/kvm");

    /** With 64 MiB Debian's 6.1 and 6.12 for x86_64 reset before their first line, with 96 they get as far as their root. */
    private static final int ENOUGH_MIB = 96;

    private final Guest.Parts parts;
    private final Path scratch;

    Boot(Guest.Parts parts, Path scratch) {
        this.parts = parts;
        this.scratch = scratch;
    }

    Guest boot(Trigger.Listener listener) throws GuestException, IOException {
        Path file = file(parts.spec().kernel());
        KernelImage kernel = KernelImage.read(file, scratch);
        checkQemu(kernel.arch(), Optional.ofNullable(System.getenv("PATH")).orElse(""));
        Path initramfs = scratch.resolve("initramfs");
        Initramfs.write(GuestTrigger.of(parts.program(), kernel.arch()), initramfs);
        Guest.Origin origin =
                new Guest.Origin(KernelUsed.of(parts.spec().kernel(), file, kernel), Accelerator.KVM, Optional.empty());
        Optional<String> noKvm = whyNoKvm(kernel.arch());
        if (parts.spec().accelerator() == Wanted.KVM && noKvm.isPresent()) {
            throw new GuestException("no KVM here: " + noKvm.get());
        }
        if (noKvm.isEmpty()) {
            QemuCommand command = command(kernel, initramfs, origin.accelerator());
            try {
                return Guest.start(parts, command, origin, scratch, listener);
            } catch (GuestException e) {
                // That the device is there does not mean that it runs a guest, least of all inside another one.
                if (parts.spec().accelerator() == Wanted.KVM) {
                    throw inFull(e, command, origin);
                }
                noKvm = Optional.of("it was tried, and " + e.getMessage());
                Files.deleteIfExists(scratch.resolve("control"));
            }
        }
        Accelerator emulation = parts.spec().exact() ? Accelerator.COUNTED : Accelerator.EMULATION;
        Optional<String> told = asksForEmulation() ? Optional.empty() : noKvm;
        told.ifPresent(why -> parts.say().accept("emulated, without KVM: " + why));
        return emulate(kernel, initramfs, new Guest.Origin(origin.kernel(), emulation, told), listener);
    }

    private Guest emulate(KernelImage kernel, Path initramfs, Guest.Origin origin, Trigger.Listener listener)
            throws GuestException, IOException {
        QemuCommand command = command(kernel, initramfs, origin.accelerator());
        try {
            return Guest.start(parts, command, origin, scratch, listener);
        } catch (GuestException e) {
            throw inFull(e, command, origin);
        }
    }

    private static GuestException inFull(GuestException why, QemuCommand command, Guest.Origin origin) {
        Console console = new Console(command.console());
        return new GuestException("the guest of %s (%s) did not come up under %s: %s%s%s"
                .formatted(
                        origin.kernel().file(),
                        command.kernel().version().orElse(origin.kernel().arch()),
                        origin.accelerator().spelling(),
                        why.getMessage(),
                        moreMemory(command.spec().memoryMiB(), console),
                        console.tail()));
    }

    /** What to do when too little memory has ended it; nothing when something else has. */
    static String moreMemory(int memoryMiB, Console console) {
        boolean wordless = console.end().isEmpty() && memoryMiB < ENOUGH_MIB;
        return console.ranOutOfMemory() || wordless
                ? "; it %s %d MiB of memory: give it more (guest: {memory: 512M} is the default)"
                        .formatted(wordless ? "may have too little with" : "ran out of its", memoryMiB)
                : "";
    }

    private QemuCommand command(KernelImage kernel, Path initramfs, Accelerator accelerator) {
        Path console = Console.unused(parts.console()).file();
        return new QemuCommand(parts.spec(), kernel, initramfs, console, scratch.resolve("control"), accelerator);
    }

    private Path file(KernelSource source) throws GuestException {
        if (source instanceof KernelSource.Image image) {
            return image.file();
        }
        KernelSource.Debian debian = (KernelSource.Debian) source;
        Arch arch = debian.arch()
                .or(Arch::here)
                .orElseThrow(() -> new GuestException(debian + ": guests can't have this machine's architecture; write "
                        + debian + "/x86_64 or " + debian + "/aarch64"));
        return parts.debian().fetch(debian.version(), arch);
    }

    /** @param path the directories that programs are looked for in */
    static void checkQemu(Arch arch, String path) throws GuestException {
        for (String directory : path.split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(directory, arch.qemu()))) {
                return;
            }
        }
        throw new GuestException(arch.qemu() + ": not on the PATH; install it: apt-get install qemu-system-"
                + (arch == Arch.X86_64 ? "x86" : "arm"));
    }

    private Optional<String> whyNoKvm(Arch arch) {
        if (asksForEmulation()) {
            return Optional.of("the campaign asks for emulation");
        }
        if (!Optional.of(arch).equals(Arch.here())) {
            return Optional.of("the kernel is for " + arch.spelling() + ", which this machine is not");
        }
        return Files.isReadable(KVM_DEVICE) && Files.isWritable(KVM_DEVICE)
                ? parts.noKvm()
                : Optional.of(KVM_DEVICE + " can't be opened");
    }

    private boolean asksForEmulation() {
        return parts.spec().exact() || parts.spec().accelerator() == Wanted.EMULATION;
    }
}

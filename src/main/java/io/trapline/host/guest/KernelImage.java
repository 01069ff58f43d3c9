package io.trapline.host.guest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel image, told by what it holds, never by its name. Headers: Documentation/arch/x86/boot.rst (bzImage),
 * Documentation/arch/arm64/booting.rst and
 * Documentation/arch/riscv/boot-image-header.rst (Image), drivers/firmware/efi/libstub/zboot-header.S (EFI zboot).
 *
 * @param file what QEMU can boot: the file itself, or its unpacked copy
 * @param banner the kernel's release, and who built it and when, as its image says; empty when it does not
 */
record KernelImage(Path file, Arch arch, Optional<String> banner) {
    private static final int SMALLEST = 4096;
    private static final int SMALLEST_GZIP = 18;
    private static final int GZIP = 0x8b1f;
    private static final int MZ = 0x5a4d;
    private static final int PE = 0x4550;
    private static final int ELF = 0x464c457f;
    private static final int HDRS = 0x53726448;
    private static final int RISCV_MAGIC = 0x05435352;
    private static final int ARM64_MAGIC = 0x644d5241;
    private static final int ZIMG = 0x676d697a;
    private static final int SECTOR = 512;
    private static final int PE_HEADER = 24;
    private static final int PE_SECTION = 40;
    private static final int XLF_KERNEL_64 = 1;
    private static final Pattern BANNER = Pattern.compile("Linux version (\\S+ \\([^\\n\\x00]*)");
    private static final String ALLOWED =
            "; allowed are a bzImage (x86_64) and an arm64 Image, also compressed by gzip";

    /**
     * Reads an image's headers.
     *
     * @param scratch a directory for the unpacked copy of a compressed one
     * @throws GuestException when it is no kernel that a guest can boot, or not all of it is there
     */
    static KernelImage read(Path file, Path scratch) throws GuestException {
        try {
            return look(file, file, new Unpacking(file, scratch));
        } catch (IOException e) {
            String what = Files.exists(file) ? "can't be read: " + e.getMessage() : "no such file";
            throw new GuestException(file + ": " + what);
        }
    }

    /** The kernel's release alone. */
    Optional<String> version() {
        return banner.map(text -> text.split(" ", 2)[0]);
    }

    /** @param named what messages call it */
    private static KernelImage look(Path named, Path file, Unpacking unpacking) throws IOException, GuestException {
        if (Files.isDirectory(file)) {
            throw new GuestException(named + ": is a directory; name the image inside it");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new GuestException(named + ": is no regular file; copy the image into one"); // a pipe has no header
        }
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (bytes.limit() >= SMALLEST_GZIP && (bytes.getShort(0) & 0xffff) == GZIP) {
                return look(named, unpacking.unpack(file, 0), unpacking.inside());
            }
            if (bytes.limit() < SMALLEST) {
                throw new GuestException(named + ": has " + bytes.limit() + " bytes, which is no kernel" + ALLOWED);
            }
            if (bytes.getInt(4) == ZIMG && (bytes.getShort(0) & 0xffff) == MZ) {
                return look(named, unpacking.unpack(file, zbootPayload(named, bytes)), unpacking.inside());
            }
            return new Reader(named, bytes).image(file);
        }
    }

    private static long zbootPayload(Path named, ByteBuffer bytes) throws GuestException {
        String method = text(bytes, 24, 32);
        if (!method.equals("gzip")) {
            throw new GuestException(named + ": is an EFI zboot image compressed by " + method
                    + "; only gzip is known here: give it arch/arm64/boot/Image");
        }
        return bytes.getInt(8) & 0xffffffffL;
    }

    private static String text(ByteBuffer bytes, int offset, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = offset; i < Math.min(offset + most, bytes.limit()) && bytes.get(i) != 0; i++) {
            text.append((char) (bytes.get(i) & 0xff));
        }
        return text.toString();
    }

    private record Reader(Path named, ByteBuffer bytes) {
        KernelImage image(Path file) throws GuestException {
            if (bytes.getInt(0x202) == HDRS && (bytes.getShort(0x1fe) & 0xffff) == 0xaa55) {
                checkBzImage();
                return new KernelImage(file, Arch.X86_64, bannerOfBzImage());
            }
            if (bytes.getInt(0x38) == ARM64_MAGIC) {
                checkSections();
                return new KernelImage(file, Arch.AARCH64, bannerInside());
            }
            if (bytes.getInt(0x38) == RISCV_MAGIC) {
                throw new GuestException(named + ": is an Image for RISC-V" + ALLOWED);
            }
            if (bytes.getInt(0) == ELF) {
                throw new GuestException(named + ": is an ELF file, such as vmlinux" + ALLOWED);
            }
            throw new GuestException(
                    "%s: is no kernel image: it begins with %08x, holds %08x at 0x202 and %08x at 0x38%s"
                            .formatted(
                                    named,
                                    Integer.reverseBytes(bytes.getInt(0)),
                                    Integer.reverseBytes(bytes.getInt(0x202)),
                                    Integer.reverseBytes(bytes.getInt(0x38)),
                                    ALLOWED));
        }

        private int setupBytes() {
            int sectors = bytes.get(0x1f1) & 0xff;
            return ((sectors == 0 ? 4 : sectors) + 1) * SECTOR;
        }

        private void checkBzImage() throws GuestException {
            if ((bytes.getShort(0x206) & 0xffff) < 0x20c || (bytes.getShort(0x236) & XLF_KERNEL_64) == 0) {
                throw new GuestException(named + ": is a bzImage for 32-bit x86; only x86_64 can be measured");
            }
            checkLength(setupBytes() + (bytes.getInt(0x1f4) & 0xffffffffL) * 16);
        }

        private Optional<String> bannerOfBzImage() {
            int at = (bytes.getShort(0x20e) & 0xffff) + 0x200;
            String text = at > 0x200 && at < setupBytes() ? text(bytes, at, 256) : "";
            return Optional.of(text).filter(t -> !t.isEmpty());
        }

        /** An Image's own size is that in memory; what the file must hold is in its EFI header, if it has one. */
        private void checkSections() throws GuestException {
            int pe = bytes.getInt(0x3c);
            if ((bytes.getShort(0) & 0xffff) != MZ || pe <= 0 || pe > SMALLEST - PE_HEADER || bytes.getInt(pe) != PE) {
                return;
            }
            int sections = bytes.getShort(pe + 6) & 0xffff;
            int table = pe + PE_HEADER + (bytes.getShort(pe + 20) & 0xffff);
            for (int i = 0; i < sections && table + (i + 1) * PE_SECTION <= bytes.limit(); i++) {
                int section = table + i * PE_SECTION;
                checkLength((bytes.getInt(section + 16) & 0xffffffffL) + (bytes.getInt(section + 20) & 0xffffffffL));
            }
        }

        private void checkLength(long needed) throws GuestException {
            if (bytes.limit() < needed) {
                throw new GuestException("%s: is cut off: its header speaks of %d bytes, there are %d; copy it again"
                        .formatted(named, needed, bytes.limit()));
            }
        }

        private Optional<String> bannerInside() {
            Matcher banner = BANNER.matcher(new Latin1(bytes));
            return banner.find() ? Optional.of(banner.group(1).strip()) : Optional.empty();
        }
    }

    /** Bytes as characters, so that a pattern can be looked for without a copy of them. */
    private record Latin1(ByteBuffer bytes) implements CharSequence {
        @Override
        public int length() {
            return bytes.limit();
        }

        @Override
        public char charAt(int index) {
            return (char) (bytes.get(index) & 0xff);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            byte[] part = new byte[end - start];
            bytes.get(start, part);
            return new String(part, StandardCharsets.ISO_8859_1);
        }
    }
}

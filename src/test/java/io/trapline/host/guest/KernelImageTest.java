package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KernelImageTest {
    private static final int SIZE = 8192;

    @TempDir
    private Path directory;

    /** Images with nothing in them but what a header says. */
    enum Sample {
        BZIMAGE {
            @Override
            byte[] bytes() {
                ByteBuffer image = image();
                image.put(0x1f1, (byte) 3).putInt(0x1f4, (SIZE - 4 * 512) / 16);
                image.putShort(0x1fe, (short) 0xaa55).put(0x202, ascii("HdrS"));
                image.putShort(0x206, (short) 0x20f)
                        .putShort(0x20e, (short) 0x400)
                        .putShort(0x236, (short) 0x3f);
                return all(image.put(0x600, ascii("6.1.0-57-cloud-amd64 (x@y) #1 SMP")));
            }
        },
        ARM64_IMAGE {
            @Override
            byte[] bytes() {
                ByteBuffer image = image();
                image.put(0, ascii("MZ")).put(0x38, ascii("ARMd")).putInt(0x3c, 0x40);
                image.put(0x40, ascii("PE")).putShort(0x46, (short) 1).putShort(0x54, (short) 0x70);
                image.putInt(0x40 + 24 + 0x70 + 16, SIZE - 4096).putInt(0x40 + 24 + 0x70 + 20, 4096);
                return all(image.put(5000, ascii("Linux version 6.12.1-arm64 (x@y)")));
            }
        };

        abstract byte[] bytes();

        Arch arch() {
            return this == BZIMAGE ? Arch.X86_64 : Arch.AARCH64;
        }

        String version() {
            return this == BZIMAGE ? "6.1.0-57-cloud-amd64" : "6.12.1-arm64";
        }

        private static ByteBuffer image() {
            return ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @EnumSource
    void tellsArchitectureAndVersionByTheHeader(Sample sample) throws Exception {
        Path file = write("misnamed-Image-amd64", sample.bytes());
        KernelImage image = KernelImage.read(file, directory);
        assertThat(image.arch()).isEqualTo(sample.arch());
        assertThat(image.version()).hasValue(sample.version());
        assertThat(image.file()).isEqualTo(file);
    }

    @ParameterizedTest
    @EnumSource
    void unpacksWhatGzipHasCompressed(Sample sample) throws Exception {
        KernelImage image = KernelImage.read(write("packed", gzip(sample.bytes())), directory);
        assertThat(image.arch()).isEqualTo(sample.arch());
        assertThat(image.file()).hasBinaryContent(sample.bytes());
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnImageThatIsCutOff(Sample sample) throws IOException {
        byte[] bytes = sample.bytes();
        Path file = write("cut", Arrays.copyOf(bytes, bytes.length - 1));
        refused(file, "cut off", "8192 bytes", "8191");
        byte[] packed = gzip(bytes);
        refused(write("cut.gz", Arrays.copyOf(packed, packed.length - 9)), "cut off or damaged");
    }

    @Test
    void unpacksAnEfiZbootImage() throws Exception {
        refused(write("zboot", zboot("zstd22")), "EFI zboot", "zstd22", "arch/arm64/boot/Image");
        KernelImage image = KernelImage.read(write("zboot", zboot("gzip")), directory);
        assertThat(image.version()).hasValue(Sample.ARM64_IMAGE.version());
    }

    /** Each level is read while the next one is written. */
    @Test
    void unpacksTwoLevelsAndNoMore() throws Exception {
        byte[] large = new byte[1 << 20]; // more than any buffer
        new Random(1).nextBytes(large);
        System.arraycopy(Sample.ARM64_IMAGE.bytes(), 0, large, 0, SIZE);
        for (byte[] packed : List.of(gzip(gzip(large)), gzip(zboot("gzip")))) {
            KernelImage image = KernelImage.read(write("packed", packed), directory);
            assertThat(image.version()).hasValue(Sample.ARM64_IMAGE.version());
        }
        assertThat(KernelImage.read(write("packed", gzip(gzip(large))), directory)
                        .file())
                .hasBinaryContent(large);
        refused(write("often", gzip(gzip(gzip(large)))), "is compressed more than 2 times");
        refused(write("often", gzip(gzip(zboot("gzip")))), "is compressed more than 2 times");
    }

    @Test
    void stopsUnpackingWhereNoKernelIsSoLarge() throws Exception {
        Path packed = write("bomb", gzip(new byte[SIZE]));
        assertThat(new Unpacking(packed, directory, 0, SIZE).unpack(packed, 0)).hasSize(SIZE);
        assertThatThrownBy(() -> new Unpacking(packed, directory, 0, SIZE - 1).unpack(packed, 0))
                .isInstanceOf(GuestException.class)
                .hasMessage(packed + ": unpacks to more than 8191 bytes, which no kernel does; give the image itself");
    }

    private static byte[] zboot(String method) throws IOException {
        byte[] payload = gzip(Sample.ARM64_IMAGE.bytes());
        ByteBuffer image = ByteBuffer.allocate(4096 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        image.put(0, ascii("MZ")).put(4, ascii("zimg")).putInt(8, 4096).putInt(12, payload.length);
        return all(image.put(24, ascii(method)).put(4096, payload));
    }

    private static byte[] all(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(0, bytes);
        return bytes;
    }

    @Test
    void saysWhatElseAFileIs() throws IOException {
        refused(directory.resolve("none"), "no such file");
        refused(directory, "is a directory");
        refused(write("short", new byte[100]), "has 100 bytes");
        refused(write("vmlinux", Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F'}, SIZE)), "ELF", "bzImage");
        byte[] riscv = new byte[SIZE];
        System.arraycopy(ascii("RSC\u0005"), 0, riscv, 0x38, 4);
        refused(write("riscv", riscv), "RISC-V", "allowed are");
        refused(Path.of("/dev/null"), "is no regular file");
        refused(write("zeros", new byte[SIZE]), "is no kernel image", "00000000 at 0x202", "allowed are");
        byte[] old = Sample.BZIMAGE.bytes();
        old[0x236] = 0;
        refused(write("i386", old), "32-bit x86");
    }

    private void refused(Path file, String... parts) {
        assertThatThrownBy(() -> KernelImage.read(file, directory))
                .isInstanceOf(GuestException.class)
                .hasMessageContaining(file + ": ")
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }
}

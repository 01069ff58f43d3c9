package io.trapline.host.guest;

import java.util.Arrays;
import java.util.Optional;

/** An architecture that guests can have, and what is called how in its guests. */
public enum Arch {
    /** Consoles and ports of the PC. */
    X86_64("x86_64", "amd64", "ttyS0", "ttyS1", "earlyprintk=ttyS0"),
    /** QEMU's {@code virt} machine: its PL011 is the console, a 16550 on PCI the port. */
    AARCH64("aarch64", "arm64", "ttyAMA0", "ttyS0", "earlycon");

    private final String spelling;
    private final String debian;
    private final String console;
    private final String port;
    private final String early;

    Arch(String spelling, String debian, String console, String port, String early) {
        this.spelling = spelling;
        this.debian = debian;
        this.console = console;
        this.port = port;
        this.early = early;
    }

    /** As uname(2) has it. */
    public String spelling() {
        return spelling;
    }

    /** As Debian's packages have it. */
    public String debian() {
        return debian;
    }

    /** QEMU's program for it. */
    public String qemu() {
        return "qemu-system-" + spelling;
    }

    /** The kernel's name of the first serial port. */
    String console() {
        return console;
    }

    /** The kernel's name of the second serial port, which the trigger speaks on. */
    String port() {
        return port;
    }

    /** The kernel argument that makes it speak before its console's driver is there. */
    String early() {
        return early;
    }

    /** This machine's; empty if guests can't have it. */
    public static Optional<Arch> here() {
        return named(System.getProperty("os.arch"));
    }

    /** By either of its names. */
    public static Optional<Arch> named(String name) {
        return Arrays.stream(values())
                .filter(arch -> arch.spelling.equals(name) || arch.debian.equals(name))
                .findFirst();
    }
}

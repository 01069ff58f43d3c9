package io.trapline.cli;

import io.trapline.cluster.Claim;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * This machine, for one run or one worker at a time: two of them would measure each other. Processes that don't share
 * their directory for temporary files, such as those of two containers, don't see each other here.
 */
final class ThisMachine {
    private ThisMachine() {}

    /**
     * Takes the machine until the claim is closed or this process dies.
     *
     * @param what this process does with it, for others who want it too
     * @throws CommandFailure naming who has it
     * @throws IOException naming the file that can't be used
     */
    static Claim take(String what) throws CommandFailure, IOException {
        Path lock = Path.of(System.getProperty("java.io.tmpdir"), "trapline-machine.lock");
        letAllUsersLock(lock);
        try {
            return Claim.take(
                    lock, "this machine", "process " + ProcessHandle.current().pid() + ", " + what);
        } catch (Claim.TakenException e) {
            throw new CommandFailure(ExitCode.NO_HOSTS, e.getMessage() + ": two at once would measure each other");
        }
    }

    /**
     * Whoever comes first makes the file, which another user's run must be able to open: so it gets its name only when
     * it has its rights.
     */
    private static void letAllUsersLock(Path lock) throws IOException {
        if (Files.exists(lock, LinkOption.NOFOLLOW_LINKS) || !Files.isWritable(lock.getParent())) {
            return; // what is wrong, if anything is, shows when it is claimed
        }
        Path made = Files.createTempFile(lock.getParent(), "trapline-machine", ".new");
        try {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-rw-rw-"));
            Files.createLink(lock, made);
        } catch (FileAlreadyExistsException e) {
            // Somebody else was first, and has done the same.
        } finally {
            Files.delete(made);
        }
    }
}

package io.trapline.cluster;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.JournalWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a run's journal, on a dispatcher of its own, so that no other actor waits for a disk. After the first error it
 * writes nothing more: what is on disk stays whole.
 */
final class JournalKeeper {
    private JournalKeeper() {}

    /** What it is asked. */
    sealed interface Command {}

    /** Append these lines. */
    record Append(List<JournalRecord> lines) implements Command {
        Append {
            lines = List.copyOf(lines);
        }
    }

    /** Put all before this on disk, then say this. */
    record Sync(Answer done) implements Command {}

    /** What it answers. */
    sealed interface Answer {}

    /** All up to that mark is on disk. */
    record Synced(long mark) implements Answer {}

    /** All that was to be there before a trial begins is on disk. */
    record Prepared(Effect.Prepare next) implements Answer {}

    /** The journal can't be written. */
    record Failed(String reason) implements Answer {}

    /** All that was asked for before this is to be on disk: it stands behind that in the mailbox. */
    private record Flush() implements Command {}

    static Behavior<Command> create(JournalWriter writer, ActorRef<Answer> owner) {
        return Behaviors.setup(context -> {
            List<Answer> due = new ArrayList<>(); // whoever came meanwhile waits for the same disk
            return Behaviors.receive(Command.class)
                    .onMessage(
                            Append.class,
                            append -> guarded(owner, () -> {
                                for (JournalRecord line : append.lines()) {
                                    writer.append(line);
                                }
                            }))
                    .onMessage(Sync.class, sync -> {
                        if (due.isEmpty()) {
                            context.getSelf().tell(new Flush());
                        }
                        due.add(sync.done());
                        return Behaviors.same();
                    })
                    .onMessage(
                            Flush.class,
                            flush -> guarded(owner, () -> {
                                writer.sync();
                                due.forEach(owner::tell);
                                due.clear();
                            }))
                    .onSignal(PostStop.class, stopped -> guarded(owner, writer::close))
                    .build();
        });
    }

    private static Behavior<Command> guarded(ActorRef<Answer> owner, Write write) {
        try {
            write.run();
            return Behaviors.same();
        } catch (IOException e) {
            owner.tell(new Failed(e.getMessage()));
            return Behaviors.ignore();
        }
    }

    private interface Write {
        void run() throws IOException;
    }
}

package io.trapline.cli;

import io.trapline.http.ClientException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line's entry: {@code trapline COMMAND}. */
@Command(
        name = "trapline",
        description = "Settles whether a Linux kernel path scales: uprobes and signals on 1 to N CPUs, locked against"
                + " lockless.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {
            "",
            "Exit codes: 0 fine; 1 bad input or internal error; 2 deadline; 3 gate (a path is slower than allowed);",
            "4 data incomplete or invalid; 5 hosts could not be had."
        })
public final class Main implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            ReportCommand.class,
            InspectCommand.class,
            SubmitCommand.class,
            StatusCommand.class,
            CancelCommand.class,
            FetchCommand.class,
            CoordinatorCommand.class,
            WorkerCommand.class,
            KubectlCommand.class);

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs one command and ends the program with its exit code. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs one command; the exit code. */
    static int execute(String... args) {
        CommandLine command = commandLine(args)
                .setOut(utf8(System.out))
                .setErr(utf8(System.err))
                .setParameterExceptionHandler(Main::onBadUse)
                .setExecutionExceptionHandler((e, line, result) -> onFailure(e, line))
                .setUsageHelpAutoWidth(true);
        int code = command.execute(args);
        if (command.getOut().checkError()) {
            command.getErr()
                    .println(
                            "trapline: standard output can't be written to; what should be there is not, or not whole");
            return code == ExitCode.FINE.code() ? ExitCode.BAD_INPUT.code() : code;
        }
        return code;
    }

    /**
     * What the command line may be: all commands, or only the one that the arguments begin with, since to prepare all of
     * them takes longer than most of them take to run.
     */
    static CommandLine commandLine(String... args) {
        List<Class<?>> named = COMMANDS.stream()
                .filter(c ->
                        args.length > 0 && c.getAnnotation(Command.class).name().equals(args[0]))
                .toList();
        CommandLine line = new CommandLine(new Main());
        (named.isEmpty() ? COMMANDS : named).forEach(line::addSubcommand);
        return line;
    }

    /** The report's bytes are the same in every locale, on the terminal too. */
    private static PrintWriter utf8(OutputStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: " + String.join(", ", spec.subcommands().keySet()));
    }

    private static int onBadUse(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("trapline: " + e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("See: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.BAD_INPUT.code();
    }

    private static int onFailure(Exception e, CommandLine line) {
        if (e instanceof CommandFailure failure) {
            failure.print(line.getErr());
            return failure.exitCode().code();
        }
        if (e instanceof ClientException unanswered) {
            CommandFailure failure = CommandFailure.of(unanswered);
            failure.print(line.getErr());
            return failure.exitCode().code();
        }
        if (e instanceof IOException unwritten) {
            CommandFailure.of(unwritten).print(line.getErr());
            return ExitCode.BAD_INPUT.code();
        }
        line.getErr().println("trapline: internal error, please report it with what follows");
        e.printStackTrace(line.getErr());
        return ExitCode.BAD_INPUT.code();
    }
}

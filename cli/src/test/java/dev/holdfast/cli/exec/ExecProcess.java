package dev.holdfast.cli.exec;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.ProgramClasses;
import dev.holdfast.cli.text.ProcFiles;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** {@code holdfast exec} as a process of its own; killed at the end of the test with what it started, if it still runs. */
public final class ExecProcess implements AutoCloseable {
    private final JavaProcess process;

    private ExecProcess(JavaProcess process) {
        this.process = process;
    }

    /** Starts one in this directory, with a store in a file there. */
    public static ExecProcess start(Path directory, String... arguments) {
        return startOn(store(directory), directory, arguments);
    }

    public static ExecProcess startOn(String store, Path directory, String... arguments) {
        List<String> command = command();
        command.addAll(List.of(arguments));
        // Run in the background of a script, a build ignores INT, and so would what it starts.
        command.addAll(0, List.of("env", "--default-signal=INT,HUP,TERM"));
        return run(store, directory, command);
    }

    private static JavaProgram program() {
        return JavaProgram.of(Main.class)
                .classes(ProgramClasses.flags())
                .heap("128m")
                .without("HOLDFAST_");
    }

    /** The words that start {@code holdfast exec}. */
    public static List<String> command() {
        return program().words("exec");
    }

    public static ExecProcess run(String store, Path directory, List<String> command) {
        String variable = store.startsWith("http") ? "HOLDFAST_SERVER" : "HOLDFAST_STORE";
        return new ExecProcess(
                program().in(directory).with(Map.of(variable, store)).start(command));
    }

    public static String store(Path directory) {
        return "sqlite:" + directory.resolve("locks.db");
    }

    /** Gives it this input, and the end of it. */
    public ExecProcess type(String text) {
        process.type(text);
        return this;
    }

    public void signal(String name) {
        process.signal(name);
    }

    /** Waits for its end; the exit code. */
    public int exit() {
        return process.exit();
    }

    public String out() {
        return process.output();
    }

    public String err() {
        return process.errors();
    }

    /** Returns once the condition holds, with a limit; fails also when the process has ended meanwhile. */
    public void until(String what, BooleanSupplier condition) {
        process.until(what, condition);
    }

    /** Returns once this file has something in it; what that is. */
    public String untilWritten(Path file) {
        until(
                file + " is written",
                () -> Files.isRegularFile(file) && !content(file).isEmpty());
        return content(file);
    }

    public static String content(Path file) {
        try {
            return Files.readString(file).trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void awaited(String what, BooleanSupplier condition) {
        Await.until(what, JavaProcess.LIMIT, condition);
    }

    /** Whether this process runs: neither gone, nor dead and not yet noticed by its parent. */
    public static boolean runs(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() && !ProcFiles.isZombie(pid);
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public String toString() {
        return process.toString();
    }
}

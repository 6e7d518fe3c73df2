package dev.holdfast.ci;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.ProgramClasses;
import dev.holdfast.cli.Shell;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A machine that runs jobs of a CI system: they find {@code holdfast} on their path, and a lock server. */
final class CiMachine implements AutoCloseable {
    private final Path directory;
    private final LocalServer server;
    private final Shell others;
    private final List<JavaProcess> started = new CopyOnWriteArrayList<>();

    private CiMachine(Path directory, LocalServer server) {
        this.directory = directory;
        this.server = server;
        this.others = new Shell(server.url());
    }

    static CiMachine in(Path directory) throws IOException {
        Path launcher = Files.createDirectories(directory.resolve("bin")).resolve("holdfast");
        String words = JavaProgram.of(Main.class).classes(ProgramClasses.flags()).heap("128m").words().stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Files.writeString(launcher, "#!/bin/sh\nexec " + words + " \"$@\"\n");
        if (!launcher.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + launcher + " executable");
        }
        return new CiMachine(directory, LocalServer.start(directory, "--store=memory:"));
    }

    /** A directory of its own for a job, which is empty. */
    Path job() throws IOException {
        return Files.createTempDirectory(directory, "job");
    }

    /** Starts these words as a runner would: what it says is heard, and signals are not ignored. */
    JavaProcess start(Path job, Map<String, String> variables, String... words) {
        Map<String, String> all = new HashMap<>(variables);
        all.merge("PATH", path(), (given, ours) -> given + ":" + ours);
        List<String> command = Stream.concat(Stream.of("env", "--default-signal=INT,HUP,TERM"), Stream.of(words))
                .toList();
        JavaProcess process = JavaProgram.of(Main.class)
                .without("HOLDFAST_")
                .in(job)
                .with(all)
                .merged()
                .start(command);
        started.add(process);
        return process;
    }

    private String path() {
        return directory.resolve("bin") + ":" + System.getenv("PATH");
    }

    String url() {
        return server.url();
    }

    // ---- what others see and do meanwhile

    boolean isHeld(String lock) {
        return look(lock).contains("\"held\":true");
    }

    String look(String lock) {
        return others.run("get", lock, "-o", "json").out();
    }

    /** What happened to it so far. */
    String past(String lock) {
        return others.run("history", lock, "-o", "json").out();
    }

    /** A fact about its holder. */
    String holder(String lock, String field) {
        return others.run("get", lock, "-o", "value=holders[0]." + field).out().strip();
    }

    void awaitRenewal(String lock) {
        String before = holder(lock, "expires_at");
        Await.until(
                "it is renewed",
                JavaProcess.LIMIT,
                () -> holder(lock, "expires_at").compareTo(before) > 0);
    }

    /** Somebody else takes it: the lease id. */
    String take(String lock) {
        return others.run("acquire", lock, "--lease", "10m", "--owner", "somebody", "-o", "name")
                .out()
                .strip();
    }

    void giveBack(String lock, String leaseId) {
        others.run("release", lock, "--lease-id", leaseId);
    }

    /** An operator ends the hold. */
    void force(String lock) {
        others.runWith("", "unlock", lock, "--force", "--reason", "a test");
    }

    void awaitNobodyWaits(String lock) {
        Await.until("nobody waits", JavaProcess.LIMIT, () -> look(lock).contains("\"waiters\":[]"));
    }

    @Override
    public void close() {
        started.forEach(JavaProcess::close);
        server.close();
    }
}

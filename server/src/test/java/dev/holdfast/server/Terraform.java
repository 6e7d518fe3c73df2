package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The real terraform in a directory of its own, with its state at a server. Needs no network: its only resource is built in. */
final class Terraform {
    /** Far longer than anything takes here, so that a slow machine is not a failure. */
    private static final int LIMIT_SECONDS = 300;

    static final String CONFIGURATION = """
            terraform {
              backend "http" {}
            }
            variable "v" { default = "0" }
            variable "gate" { default = "" }
            resource "terraform_data" "it" {
              input = var.v
              triggers_replace = var.v
              provisioner "local-exec" {
                command = var.gate == "" ? "true" : "touch ${var.gate}.begun; until [ -e ${var.gate}.open ]; do sleep 0.1; done"
              }
            }
            """;

    final Path directory;
    private final Map<String, String> environment = new HashMap<>();

    private Terraform(Path directory) {
        this.directory = directory;
        environment.put("TF_DATA_DIR", directory.resolve("data").toString());
        environment.put("CHECKPOINT_DISABLE", "1");
        environment.put("TF_IN_AUTOMATION", "1");
        environment.put("TF_CLI_CONFIG_FILE", "/dev/null");
        environment.put("TF_HTTP_RETRY_WAIT_MIN", "1");
        environment.put("TF_HTTP_RETRY_WAIT_MAX", "2");
    }

    /** A directory that is ready to be used with any server: where that is, is told at each run. */
    static Terraform initialised(Path directory, String address) {
        return initialised(directory, address, UnaryOperator.identity());
    }

    /** The same with settings of its own. */
    static Terraform initialised(Path directory, String address, UnaryOperator<Terraform> settings) {
        Terraform made = settings.apply(new Terraform(directory).at(address));
        made.write("main.tf", CONFIGURATION);
        made.run("init", "-input=false").ok();
        return made;
    }

    static void assumePresent() {
        boolean present = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder, "terraform")));
        Assumptions.assumeTrue(present, "terraform is not on the PATH");
    }

    /** The same in a copy of the directory, with its state at another place. */
    Terraform copy(Path to, String address) {
        try {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path file : all.filter(Files::isRegularFile).toList()) {
                    Path target = to.resolve(directory.relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Terraform(to).at(address);
    }

    Terraform at(String address) {
        environment.put("TF_HTTP_ADDRESS", address);
        environment.put("TF_HTTP_LOCK_ADDRESS", address);
        environment.put("TF_HTTP_UNLOCK_ADDRESS", address);
        return this;
    }

    Terraform with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    void write(String file, String content) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- running

    /** Runs a command to its end. */
    Ended run(String... command) {
        return start(command).end();
    }

    /** Applies this value. */
    Ended apply(String value, String... more) {
        return applying(value, more).end();
    }

    Running applying(String value, String... more) {
        List<String> command = new ArrayList<>(List.of("apply", "-auto-approve", "-input=false", "-var", "v=" + value));
        command.addAll(List.of(more));
        return start(command.toArray(String[]::new));
    }

    /** Applies this value, and stops in the middle, holding the lock, until {@link Running#open()}. Returns when it is there. */
    Running stopping(String value, String... more) {
        List<String> gated = new ArrayList<>(List.of("-var", "gate=" + directory.resolve("gate-" + value)));
        gated.addAll(List.of(more));
        Running running = applying(value, gated.toArray(String[]::new));
        running.gate = directory.resolve("gate-" + value);
        Path begun = Path.of(running.gate + ".begun");
        Await.until("terraform is in the middle of its work", () -> Files.exists(begun) || !running.process.isAlive());
        assertThat(begun).as(running.said()).exists();
        return running;
    }

    Running start(String... command) {
        try {
            List<String> line = new ArrayList<>(List.of("terraform", command[0]));
            line.add(command[0].equals("state") || command[0].equals("workspace") ? command[1] : "-no-color");
            line.addAll(List.of(command)
                    .subList(line.get(line.size() - 1).equals("-no-color") ? 1 : 2, command.length));
            Path out = Files.createTempFile(directory, "out", ".log");
            ProcessBuilder builder = new ProcessBuilder(line)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment().putAll(environment);
            return new Running(builder.start(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * How a run ended.
     *
     * @param code of its process
     * @param said everything it printed
     */
    record Ended(int code, String said) {
        Ended ok() {
            assertThat(code).as(said).isZero();
            return this;
        }

        Ended failed() {
            assertThat(code).as(said).isNotZero();
            return this;
        }
    }

    /** A run under way. */
    static final class Running implements AutoCloseable {
        final Process process;
        private final Path out;
        private Path gate = Path.of("none");

        Running(Process process, Path out) {
            this.process = process;
            this.out = out;
        }

        /** Lets it go on. */
        Running open() {
            try {
                Files.createFile(Path.of(gate + ".open"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        Ended end() {
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    close();
                    throw new AssertionError("terraform does not end: " + said());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
            return new Ended(process.exitValue(), said());
        }

        /** As {@code kill -9}, with everything it started. */
        void kill() throws InterruptedException {
            close();
            process.waitFor();
        }

        String said() {
            try {
                return Files.readString(out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
    }
}

package dev.holdfast.ci;

import dev.holdfast.testkit.process.JavaProcess;
import groovy.lang.Closure;
import groovy.lang.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The steps of Jenkins that {@code withHoldfastLock} and its users call, done on this machine. */
public abstract class JenkinsSteps extends Script {
    /** A build that runs: where, and what its steps have done. */
    static final class Build {
        final CiMachine machine;
        final Path place;
        final Map<String, String> variables = new HashMap<>();
        final StringBuilder log = new StringBuilder();

        Build(CiMachine machine, Path place) {
            this.machine = machine;
            this.place = place;
            variables.putAll(Map.of(
                    "JENKINS_URL", "https://ci.example.com/",
                    "JOB_NAME", "shop",
                    "BUILD_NUMBER", "17",
                    "BUILD_URL", "https://ci.example.com/job/shop/17/",
                    "JENKINS_SERVER_COOKIE", "durable-1"));
        }
    }

    private Build build() {
        return (Build) getBinding().getVariable("build");
    }

    /** The variables of the build, as {@code env.NAME}. */
    public Map<String, String> getEnv() {
        return build().variables;
    }

    public Object sh(String script) {
        return sh(Map.of("script", script));
    }

    /** As the real one: a script without {@code #!} is traced and ends at the first failure. */
    public Object sh(Map<String, Object> options) {
        try {
            String text = String.valueOf(options.get("script"));
            Path file = Files.writeString(Files.createTempFile(build().place, "script", ".sh"), text);
            Path out = build().place.resolve(file.getFileName() + ".out");
            boolean returnsOutput = Boolean.TRUE.equals(options.get("returnStdout"));
            String[] words = text.startsWith("#!/bin/sh")
                    ? new String[] {
                        "sh",
                        "-c",
                        "exec sh \"$0\"" + (returnsOutput ? " >\"$1\"" : ""),
                        file.toString(),
                        out.toString()
                    }
                    : new String[] {"sh", "-xe", file.toString()};
            JavaProcess process = build().machine.start(build().place, build().variables, words);
            int code = process.exit();
            build().log.append(process.output()).append('\n');
            if (Boolean.TRUE.equals(options.get("returnStatus"))) {
                return code;
            }
            if (code != 0) {
                throw new IllegalStateException("script returned exit code " + code);
            }
            return returnsOutput ? Files.readString(out) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Object withEnv(List<?> settings, Closure<?> body) {
        Map<String, String> before = Map.copyOf(build().variables);
        for (Object setting : settings) {
            String[] parts = setting.toString().split("=", 2);
            build().variables.put(parts[0], parts[1]);
        }
        try {
            return body.call();
        } finally {
            build().variables.clear();
            build().variables.putAll(before);
        }
    }

    public Map<String, Object> string(Map<String, Object> credentials) {
        return credentials;
    }

    public Object withCredentials(List<Map<String, Object>> all, Closure<?> body) {
        return withEnv(
                all.stream()
                        .map(one -> one.get("variable") + "=secret-of-" + one.get("credentialsId"))
                        .toList(),
                body);
    }

    public String libraryResource(String name) throws IOException {
        return Files.readString(Path.of("../deploy/jenkins/resources").resolve(name));
    }

    public String pwd(Map<String, Object> options) {
        return build().place + (Boolean.TRUE.equals(options.get("tmp")) ? "@tmp" : "");
    }

    public void echo(Object message) {
        build().log.append(message).append('\n');
    }

    public void error(Object message) {
        throw new IllegalStateException(message.toString());
    }
}

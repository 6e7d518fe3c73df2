package dev.holdfast.server;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Helm's own library, in a process of its own, since it brings another runtime with it. Renders a chart with each values file of a
 * directory, {@code X.yaml} into {@code X.out}, or says in {@code X.error} why that is refused; and checks a chart as {@code helm lint}
 * does, into {@code lint}.
 */
final class HelmProgram {
    private HelmProgram() {}

    public static void main(String[] args) throws IOException {
        Path chart = Path.of(args[0]);
        Path linted = Path.of(args[1]);
        Path cases = Path.of(args[2]);
        LintResult lint = new Helm(linted).lint().strict().call();
        Files.writeString(
                cases.resolve("lint"), (lint.isFailed() ? "failed\n" : "") + String.join("\n", lint.getMessages()));
        for (Path values : valuesFiles(cases)) {
            String name = values.getFileName().toString().replace(".yaml", "");
            try {
                String rendered = new Helm(chart)
                        .template()
                        .withName("holdfast")
                        .withNamespace("locks")
                        .withKubeVersion("1.31.0")
                        .withValuesFile(values)
                        .call();
                Files.writeString(cases.resolve(name + ".out"), rendered);
            } catch (IllegalStateException e) {
                Files.writeString(cases.resolve(name + ".error"), String.valueOf(e.getMessage()));
            }
        }
    }

    private static List<Path> valuesFiles(Path cases) throws IOException {
        try (Stream<Path> all = Files.list(cases)) {
            return all.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }
}

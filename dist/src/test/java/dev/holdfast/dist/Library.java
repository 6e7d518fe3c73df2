package dev.holdfast.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A module that is published for others to use.
 *
 * @param directory where its sources are
 * @param artifact its name among artifacts
 * @param module what its pom promises as its name among modules
 */
record Library(Path directory, String artifact, Optional<String> module) {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern NAME = Pattern.compile("<java.module.name>([^<]+)</java.module.name>");

    /** All of them: modules of the build that are not kept back. */
    static List<Library> all() throws IOException {
        return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(found -> ROOT.resolve(found.group(1)))
                .filter(directory -> !text(directory.resolve("pom.xml")).contains("<maven.deploy.skip>true"))
                .filter(directory ->
                        Files.isDirectory(directory.resolve("src/main/java"))) // the list of versions has none
                .map(Library::of)
                .toList();
    }

    private static Library of(Path directory) {
        String pom = text(directory.resolve("pom.xml"));
        return new Library(directory, first(ARTIFACT, pom).orElseThrow(), first(NAME, pom));
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** As it was built last; empty if it was not, as when a part of the modules is built. */
    Optional<Path> jar() throws IOException {
        Path target = directory.resolve("target");
        if (!Files.isDirectory(target)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(target)) {
            Pattern name = Pattern.compile(artifact + "-[0-9.]+(-SNAPSHOT)?\\.jar");
            return files.filter(
                            file -> name.matcher(file.getFileName().toString()).matches())
                    .findFirst();
        }
    }

    /** Its files below this directory, by their names there. */
    List<String> files(String below) throws IOException {
        Path top = directory.resolve(below);
        if (!Files.isDirectory(top)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(top)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> top.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    /** What is in its file, or nothing if there is none. */
    String read(String file) {
        Path path = directory.resolve(file);
        return Files.exists(path) ? text(path) : "";
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return artifact;
    }
}

package dev.holdfast.dist;

import java.io.File;
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

    /** As it was packed for this test; empty if nothing here depends on it, or it is not packed yet. */
    Optional<Path> jar() {
        Pattern name = Pattern.compile(artifact + "-[0-9.]+(-SNAPSHOT)?\\.jar");
        return classPath()
                .filter(path -> name.matcher(path.getFileName().toString()).matches())
                .findFirst();
    }

    /** The class path of the test; its runner hides it in one jar. */
    static Stream<Path> classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(path.split(File.pathSeparator)).map(Path::of);
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

package dev.holdfast.state.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The commit and branch that are checked out, read from git's own files; empty where there is none or no working copy. */
record GitHead(Optional<String> commit, Optional<String> branch) {
    private static final GitHead NONE = new GitHead(Optional.empty(), Optional.empty());
    private static final int MAX_ABOVE = 30;
    private static final long MAX_FILE = 4 << 20;

    static GitHead above(Path directory) {
        Path at = directory.toAbsolutePath();
        for (int i = 0; i < MAX_ABOVE && at != null; i++) {
            Path git = at.resolve(".git");
            if (Files.isDirectory(git)) {
                return in(git);
            }
            at = at.getParent();
        }
        return NONE;
    }

    private static GitHead in(Path git) {
        String head = line(git.resolve("HEAD")).orElse("");
        if (!head.startsWith("ref: ")) {
            return new GitHead(Optional.of(head).filter(GitHead::isHash), Optional.empty());
        }
        String ref = head.substring("ref: ".length()).strip();
        if (!ref.startsWith("refs/") || ref.contains("..")) {
            return NONE;
        }
        Optional<String> commit = line(git.resolve(ref)).or(() -> packed(git.resolve("packed-refs"), ref));
        Optional<String> branch =
                Optional.of(ref).filter(it -> it.startsWith("refs/heads/")).map(it -> it.substring(11));
        return new GitHead(commit.filter(GitHead::isHash), branch);
    }

    private static Optional<String> packed(Path file, String ref) {
        return text(file)
                .flatMap(all -> all.lines()
                        .filter(it -> it.endsWith(" " + ref))
                        .map(it -> it.substring(0, it.indexOf(' ')))
                        .findFirst());
    }

    private static Optional<String> line(Path file) {
        return text(file).map(all -> all.lines().findFirst().orElse("").strip());
    }

    private static Optional<String> text(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= MAX_FILE
                    ? Optional.of(Files.readString(file, StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // only a label is missing
        }
    }

    private static boolean isHash(String text) {
        return text.matches("[0-9a-f]{40}([0-9a-f]{24})?");
    }
}

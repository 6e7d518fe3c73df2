package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The images of others that ours are made of, or that the examples start. */
class ImagesTest {
    private static final List<Path> FILES = List.of(
            Path.of("../Dockerfile"),
            Path.of("../examples/deploy/Dockerfile"),
            Path.of("../examples/deploy/compose.yaml"),
            Path.of("../examples/deploy/server-compose.yaml"),
            Path.of("../examples/deploy/kubernetes.yaml"),
            Path.of("../examples/deploy/server-kubernetes.yaml"),
            Path.of("../deploy/gitlab/templates/exec.yml"),
            Path.of("../deploy/helm/holdfast/templates/deployment.yaml"));

    private static final Pattern NAMED = Pattern.compile("(?m)^(?:FROM|\\s*(?:- )?image:)[ \\t]+(\\S+)");
    /** By whoever installs the chart or includes the component. */
    private static final Pattern CHOSEN = Pattern.compile("\\{\\{|\"\\$\\[\\[");
    /** A tag for people, and a digest that decides. */
    private static final Pattern PINNED = Pattern.compile("[a-z][a-z0-9./-]*:[\\w.-]+@sha256:[0-9a-f]{64}");

    @Test
    @DisplayName("each is named by tag and digest, and the same one everywhere by the same digest")
    void pinned() throws IOException {
        List<String> images = FILES.stream()
                .flatMap(ImagesTest::images)
                .filter(image ->
                        !image.startsWith("holdfast") && !CHOSEN.matcher(image).lookingAt())
                .distinct()
                .toList();
        assertThat(images)
                .hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(image -> assertThat(image).matches(PINNED));
        assertThat(images.stream().map(image -> image.replaceFirst("@.*", ""))).doesNotHaveDuplicates();
    }

    private static Stream<String> images(Path file) {
        try {
            Matcher named = NAMED.matcher(Files.readString(file));
            return named.results().map(found -> found.group(1)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

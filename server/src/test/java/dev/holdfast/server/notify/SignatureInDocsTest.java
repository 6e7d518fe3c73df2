package dev.holdfast.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of docs/NOTIFICATIONS.md with what a receiver got. */
@DisplayName("the check of a signature in docs/NOTIFICATIONS.md")
class SignatureInDocsTest {
    private static final Path PAGE = Path.of("../docs/NOTIFICATIONS.md");
    private static final String BODY = "{\"event\":\"lock.forced\",\"name\":\"größe\"}";
    private static final String OTHER = "{\"event\":\"lock.forced\",\"name\":\"grosse\"}";

    @TempDir
    Path directory;

    private List<Case> cases = List.of();

    private record Case(String signature, String body, boolean good) {}

    @BeforeEach
    void sign() {
        Instant now = Instant.now();
        String good = signature(WebhookServer.SECRET, now);
        cases = List.of(
                new Case(good, BODY, true),
                new Case(good, OTHER, false),
                new Case(signature("another-secret-0123456789", now), BODY, false),
                new Case(signature(WebhookServer.SECRET, now.minusSeconds(3_600)), BODY, false),
                new Case("", BODY, false),
                new Case("t=x,v1=y", BODY, false));
    }

    private static String signature(String secret, Instant at) {
        return DeliverySignature.of(secret, at, BODY.getBytes(StandardCharsets.UTF_8));
    }

    private static String block(String language) throws IOException {
        Matcher block = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    @DisplayName("works in Java")
    void java() throws Exception {
        Path source = Files.writeString(directory.resolve("HoldfastDeliveries.java"), block("java"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", directory.toString(), source.toString()))
                .isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            Method check = loader.loadClass("HoldfastDeliveries")
                    .getDeclaredMethod("isFromHoldfast", String.class, String.class, byte[].class);
            check.setAccessible(true);
            for (Case one : cases) {
                assertThat(check.invoke(
                                null,
                                WebhookServer.SECRET,
                                one.signature(),
                                one.body().getBytes(StandardCharsets.UTF_8)))
                        .as(one.signature())
                        .isEqualTo(one.good());
            }
        }
    }

    @Test
    @DisplayName("works in Python")
    void python() throws Exception {
        Assumptions.assumeTrue(hasPython(), "python3 is not installed");
        StringBuilder program = new StringBuilder(block("python"));
        for (Case one : cases) {
            program.append("print(is_from_holdfast('")
                    .append(WebhookServer.SECRET)
                    .append("', '")
                    .append(one.signature())
                    .append("', '''")
                    .append(one.body())
                    .append("'''.encode('utf-8')))\n");
        }
        Path file = Files.writeString(directory.resolve("check.py"), program);
        Process run = new ProcessBuilder("python3", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor()).as(said).isZero();
        assertThat(said.lines())
                .containsExactlyElementsOf(
                        cases.stream().map(one -> one.good() ? "True" : "False").toList());
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            Process version = new ProcessBuilder("python3", "--version").start();
            return version.waitFor(30, TimeUnit.SECONDS) && version.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}

package dev.holdfast.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the page /docs")
class DocsPageTest {
    private static final Path SERVED = Path.of("src/main/resources/dev/holdfast/server/docs");
    private static final Path STYLE = Path.of("src/test/resources/dev/holdfast/server/docs/docs.css");

    private static final String AGAIN = "mvn verify -pl server/src/test -am -Dtest=DocsPageTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dholdfast.docs.write=true";

    @Test
    @DisplayName("is made of openapi.json as it is now")
    void current() throws IOException {
        Path page = SERVED.resolve("docs.html");
        String made = new DocsPage(
                        Node.parse(Files.readString(SERVED.resolve("openapi.json"))), Files.readString(STYLE))
                .html();
        if (Boolean.getBoolean("holdfast.docs.write")) {
            Files.writeString(page, made);
        }
        // Not isEqualTo, which would print both pages.
        assertThat(Files.readString(page).equals(made))
                .as("openapi.json or docs.css changed; make the page again with: " + AGAIN)
                .isTrue();
    }
}

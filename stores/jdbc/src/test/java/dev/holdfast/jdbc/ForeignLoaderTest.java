package dev.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a thread whose class loader knows nothing of us, as in a container")
class ForeignLoaderTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    Path directory;

    @BeforeEach
    void foreign() {
        Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0], null));
    }

    @AfterEach
    void own() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    @DisplayName("finds the stores beside the library all the same")
    void locks() throws InterruptedException {
        try (LockClient locks = LockClient.connect("sqlite:" + directory.resolve("locks.db"));
                Lease lease = locks.acquire("report")) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("finds the stores of documents too")
    void documents() {
        try (DocumentStore documents = DocumentStores.open("sqlite:" + directory.resolve("documents.db"))) {
            assertThat(documents.get("nothing.json")).isEmpty();
        }
    }
}

package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeployRunTest {
    @TempDir
    private Path directory;

    private Map<String, String> environment() {
        String locks = Databases.SQLITE.fresh(directory).url();
        return Map.of("DATABASE_URL", locks, "DOCUMENTS_URL", "memory:", "STEP", "PT0.01S");
    }

    @Test
    @DisplayName("a deployment makes what is missing, saves, and releases its lock for the next")
    void deploys() {
        for (int i = 0; i < 2; i++) {
            try (Program run = Program.start(
                    DeployRun.class, "pod", environment(), "shop", "production", "shop/api", "shop/database")) {
                run.awaitLine("shop/api is made");
                run.awaitLine("shop/database is made");
                run.awaitLine("saved as 20");
                assertThat(run.exit()).isZero();
            }
        }
    }

    @Test
    @DisplayName("a deployment whose lock was ended by force saves nothing more, and says so")
    void forced() {
        try (Program run = Program.start(
                DeployRun.class, "pod", environment(), "shop", "production", "shop/api", "shop/database", "forced")) {
            run.awaitLine("shop/api is made");
            run.awaitLine("stopped: ");
            assertThat(run.saysAlready("shop/database is made")).isFalse();
            assertThat(run.exit()).isEqualTo(76);
        }
    }
}

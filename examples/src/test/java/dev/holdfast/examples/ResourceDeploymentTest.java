package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceDeploymentTest {
    @TempDir
    private Path directory;

    private Map<String, String> environment(String step) {
        return Map.of("DATABASE_URL", Databases.SQLITE.fresh(directory).url(), "STEP", step);
    }

    private JavaProcess start(String step, String... more) {
        List<String> args = new ArrayList<>(List.of("shop", "production", "shop/api", "shop/database"));
        args.addAll(List.of(more));
        return Pod.start(ResourceDeployment.class, "pod", environment(step), args.toArray(new String[0]));
    }

    @Test
    @DisplayName("a deployment makes what is missing, saves, and releases its lock for the next, which finds it")
    void deploys() {
        try (JavaProcess run = start("PT0.01S")) {
            run.awaitLine("shop/api is made");
            run.awaitLine("shop/database is made");
            run.awaitLine("saved as 20");
            assertThat(run.exit()).isZero();
        }
        try (JavaProcess next = start("PT0.01S")) {
            next.awaitLine("shop/api is there");
            next.awaitLine("shop/database is there");
            assertThat(next.exit()).isZero();
        }
    }

    @Test
    @DisplayName("who comes while another deploys is told who holds the lock")
    void held() {
        // Killed at the end of the test, long before its second step is done.
        try (JavaProcess first = start("PT30S")) {
            first.awaitLine("deploys");
            try (JavaProcess second = start("PT0.01S")) {
                second.awaitLine("held by ");
                assertThat(second.exit()).isEqualTo(75);
            }
        }
    }

    @Test
    @DisplayName("a deployment whose lock was ended by force saves nothing more, and says so")
    void forced() {
        try (JavaProcess run = start("PT0.01S", "forced")) {
            run.awaitLine("shop/api is made");
            run.awaitLine("stopped: ");
            assertThat(run.hasSaid("shop/database is made")).isFalse();
            assertThat(run.exit()).isEqualTo(76);
        }
    }
}

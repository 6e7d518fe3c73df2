package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.serve.StartNotice.Access;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.health.HealthPart;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("what a server says at its start")
class StartNoticeTest {
    private static final int MOST_LINES = 12;
    private static final int SCREEN = 80;
    private static final HealthPart UP = HealthPart.up(HealthPart.Name.STATE, "It works.");

    @TempDir
    private Path directory;

    private ServerOptions options(String... flags) {
        return ServerSetup.of(Settings.load(List.of(flags), Map.of(), directory));
    }

    @Test
    @DisplayName("fits on a small screen, whoever may use it: at most twelve lines, none of which is wrapped")
    void small() {
        for (Access access : Access.values()) {
            fits(access, true);
            fits(access, false);
        }
    }

    private void fits(Access access, boolean demo) {
        StartNotice notice = new StartNotice(options(), "http://127.0.0.1:18081", access, UP, demo, true);
        assertThat(notice.block())
                .hasSizeLessThanOrEqualTo(MOST_LINES)
                .allMatch(line -> line.length() <= SCREEN)
                .anyMatch(line -> line.endsWith("listens on http://127.0.0.1:18081"));
        assertThat(notice.facts()).hasSizeLessThanOrEqualTo(MOST_LINES);
        assertThat(notice.facts().get(0)).startsWith("Holdfast listens on http://127.0.0.1:18081");
    }

    @Test
    @DisplayName(
            "has commands that work as they are: with --server where that is needed, and an address that can be called")
    void commands() {
        assertThat(new StartNotice(options(), "http://127.0.0.1:8080", Access.THIS_MACHINE, UP, false, true).block())
                .contains("  holdfast exec my-job -- sleep 60", "  holdfast ls");
        assertThat(new StartNotice(options(), "http://0.0.0.0:9000", Access.EVERYBODY, UP, false, true).block())
                .contains("  holdfast ls --server http://127.0.0.1:9000");
        assertThat(new StartNotice(options(), "https://[::]:9000", Access.KNOWN_CALLERS, UP, false, true).block())
                .contains("  curl https://[::1]:9000/health/ready");
    }

    @Test
    @DisplayName("tells where things are kept, and no password")
    void places() {
        ServerOptions config = options("--store=postgresql://app:secret@db/locks", "--state.store=file:/srv/state");
        StartNotice notice = new StartNotice(config, "http://127.0.0.1:8080", Access.THIS_MACHINE, UP, false, false);
        assertThat(String.join("\n", notice.block()))
                .contains("postgresql://app:***@db/locks", "file:/srv/state")
                .doesNotContain("secret", "Guard");
        assertThat(String.join("\n", notice.facts()))
                .contains("@db/locks", "file:/srv/state")
                .doesNotContain("secret");
        assertThat(new StartNotice(options().inMemory(), "http://x", Access.THIS_MACHINE, UP, true, true).facts())
                .anyMatch(line -> line.contains("gone when the server stops"));
    }

    @Test
    @DisplayName("names no place for state that does not work, but what to do about it")
    void stateLost() {
        HealthPart down = HealthPart.down(HealthPart.Name.STATE, "the table holdfast_document is missing");
        StartNotice notice =
                new StartNotice(options(), "http://127.0.0.1:18081", Access.THIS_MACHINE, down, false, true);
        assertThat(notice.block())
                .contains("  State   NOT KEPT: see why with holdfast doctor --server http://127.0.0.1:18081")
                .allMatch(line -> line.length() <= SCREEN);
        assertThat(notice.facts())
                .contains("State is NOT kept: the table holdfast_document is missing")
                .noneMatch(line -> line.startsWith("State is kept"));
        assertThat(new StartNotice(options(), "http://127.0.0.1:18081", Access.THIS_MACHINE, UP, false, true).facts())
                .contains("State is kept in the same place");
    }
}

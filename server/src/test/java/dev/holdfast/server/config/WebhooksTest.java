package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.config.settings.NotifySettings;
import dev.holdfast.server.config.values.WebhookEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("notify.webhooks")
class WebhooksTest {
    private static final String SECRET = "0123456789-secret";

    @TempDir
    Path directory;

    private Sources sources;

    @BeforeEach
    void fresh() {
        sources = new Sources(directory);
    }

    @Test
    @DisplayName("are read from the file, with all events unless some are named")
    void read() throws Exception {
        sources.yaml(
                "notify:",
                "  webhooks:",
                "    - id: ops",
                "      url: https://ops.example.com/hooks/holdfast",
                "      secret: " + SECRET,
                "      events: [lock.forced, lock.waiting]",
                "      namespaces: [billing, 'web-*']",
                "      locks: nightly*",
                "    - {id: chat, url: 'env:SLACK_URL', format: slack}",
                "  waits-longer-than: 5m");
        Settings settings = sources.load();
        List<WebhookEntry> webhooks = settings.get(NotifySettings.WEBHOOKS);
        assertThat(webhooks).hasSize(2);
        assertThat(webhooks.get(0).events()).containsExactly("lock.forced", "lock.waiting");
        assertThat(webhooks.get(0).namespaces()).extracting(it -> it.pattern()).containsExactly("billing", "web-*");
        assertThat(webhooks.get(0).locks()).extracting(it -> it.pattern()).containsExactly("nightly*");
        assertThat(webhooks.get(1).events()).isEqualTo(WebhookEntry.EVENTS);
        assertThat(webhooks.get(1).secret()).isEmpty();
        assertThat(settings.get(NotifySettings.WAITS_LONGER_THAN)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    @DisplayName("are shown without secrets, and without what follows the host")
    void shown() {
        sources.env(
                "NOTIFY_WEBHOOKS",
                "[{\"id\":\"ops\",\"url\":\"https://hooks.example.com:8443/services/T0/B0/xyz?a=b\",\"secret\":\""
                        + SECRET
                        + "\",\"events\":[\"lock.lost\"]},"
                        + "{\"id\":\"two\",\"url\":\"env:TWO_URL\",\"secret\":\"file:/run/secrets/two\"}]");
        Settings settings = sources.load();
        assertThat(settings.toString()).doesNotContain(SECRET, "services", "xyz");
        assertThat(settings.lines())
                .filteredOn(line -> line.key().equals("notify.webhooks"))
                .singleElement()
                .satisfies(line -> assertThat(line.value())
                        .startsWith(
                                "[{id: ops, url: \"https://hooks.example.com:8443/***\", secret: ***, events: [lock.lost],"
                                        + " format: json}, ")
                        .contains("env:TWO_URL", "file:/run/secrets/two"));
        assertThat(settings.get(NotifySettings.WEBHOOKS).toString()).doesNotContain(SECRET, "services");
    }

    @Test
    @DisplayName("whose secret or address changes are known to need a restart, though that is hidden")
    void changed() {
        Settings before = with("https://a.example.com/one", SECRET);
        assertThat(before.changedIn(with("https://a.example.com/one", SECRET))).isEmpty();
        assertThat(before.changedIn(with("https://a.example.com/two", SECRET))).containsExactly("notify.webhooks");
        assertThat(before.changedIn(with("https://a.example.com/one", SECRET + "x")))
                .containsExactly("notify.webhooks");
    }

    private Settings with(String url, String secret) {
        return new Sources(directory)
                .env("NOTIFY_WEBHOOKS", "[{id: ops, url: '" + url + "', secret: '" + secret + "'}]")
                .load();
    }

    @Test
    @DisplayName("are refused with everything that is wrong with them, and never with a secret or an address")
    void refused() throws Exception {
        sources.yaml(
                "notify.webhooks:",
                "  - {id: OPS, url: 'https://user:pw-1@example.com/', secret: short-1}",
                "  - {id: ops, url: 'ftp://example.com/pw-2', secret: 'has spaces in it, and is long'}",
                "  - {id: ops, url: 'https://example.com/', events: [lock.gone], format: xml}",
                "  - {id: two, url: 'https://example.com/', secret: 0123456789abcdef, namespaces: [], tokens: pw-3}",
                "  - pw-4");
        assertThat(sources.problems())
                .anyMatch(problem -> problem.startsWith("notify.webhooks[0].id ") && problem.endsWith("was 'OPS'"))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[0].url "))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[0].secret "))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[1].url "))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[1].secret "))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[2].id ") && problem.contains("earlier"))
                .anyMatch(problem ->
                        problem.startsWith("notify.webhooks[2].events ") && problem.endsWith("was 'lock.gone'"))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[2].format "))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[3].namespaces "))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[3] ") && problem.endsWith("was 'tokens'"))
                .anyMatch(problem -> problem.startsWith("notify.webhooks[4] "))
                .noneMatch(problem ->
                        problem.contains("pw-") || problem.contains("short-1") || problem.contains("spaces in it,"));
    }

    @Test
    @DisplayName("need the events in the store")
    void history() {
        assertThat(sources.env("NOTIFY_WEBHOOKS", "[{id: ops, url: 'https://example.com', secret: '" + SECRET + "'}]")
                        .flags("--history.enabled=false")
                        .problems())
                .singleElement()
                .asString()
                .startsWith("notify.webhooks (environment NOTIFY_WEBHOOKS) needs the events in the store");
    }
}

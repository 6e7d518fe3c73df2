package dev.holdfast.server.observe.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the most used locks")
class HotLocksTest {
    private final AtomicLong now = new AtomicLong();
    private final HotLocks hot = new HotLocks(now::get);

    private static RecordKey key(String name) {
        return new RecordKey("n", name);
    }

    private void use(String name, int times) {
        for (int i = 0; i < times; i++) {
            hot.retried(key(name));
        }
    }

    @Test
    @DisplayName("come first, and fade when nobody uses them any more")
    void order() {
        use("seldom", 1);
        use("often", 8);
        assertThat(hot.most(10))
                .containsExactly(new HotLocks.Hot(key("often"), 0, 8), new HotLocks.Hot(key("seldom"), 0, 1));
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(hot.most(10)).containsExactly(new HotLocks.Hot(key("often"), 0, 2));
        now.addAndGet(Duration.ofHours(2).toNanos());
        assertThat(hot.most(10)).isEmpty();
    }

    @Test
    @DisplayName("are found among very many, of which only some are remembered")
    void bounded() {
        use("often", 50);
        for (int i = 0; i < 20 * HotLocks.KEPT; i++) {
            use("once " + i, 1);
        }
        assertThat(hot.most(Integer.MAX_VALUE)).hasSizeLessThanOrEqualTo(HotLocks.KEPT);
        assertThat(hot.most(1)).extracting(HotLocks.Hot::key).containsExactly(key("often"));
    }
}

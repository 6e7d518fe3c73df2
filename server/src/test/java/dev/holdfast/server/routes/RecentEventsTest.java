package dev.holdfast.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.observe.Events;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the newest events")
class RecentEventsTest {
    private final RecentEvents recent = new RecentEvents(5);

    private static EventText told(long number) {
        return EventText.of(Events.some(number));
    }

    private List<Long> after(long number, int limit) {
        return recent.after(number, limit).stream().map(EventText::number).toList();
    }

    @Test
    @DisplayName("are found by what was seen last, also with gaps and after the oldest made room")
    void found() {
        assertThat(after(0, 10)).isEmpty();
        for (long number : new long[] {3, 4, 7, 8, 9}) {
            assertThat(recent.add(told(number))).isZero();
        }
        assertThat(after(0, 10)).containsExactly(3L, 4L, 7L, 8L, 9L);
        assertThat(recent.add(told(12))).isEqualTo(3);
        assertThat(recent.add(told(13))).isEqualTo(4);
        assertThat(after(4, 10)).containsExactly(7L, 8L, 9L, 12L, 13L);
        assertThat(after(5, 2)).containsExactly(7L, 8L);
        assertThat(after(9, 10)).containsExactly(12L, 13L);
        assertThat(after(12, 10)).containsExactly(13L);
        assertThat(after(13, 10)).isEmpty();
        recent.clear();
        assertThat(after(0, 10)).isEmpty();
        recent.add(told(20));
        assertThat(after(0, 10)).containsExactly(20L);
    }
}

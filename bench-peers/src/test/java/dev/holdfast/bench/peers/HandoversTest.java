package dev.holdfast.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.peers.Handovers.Turn;
import dev.holdfast.bench.peers.worker.Figures;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("hand-overs")
class HandoversTest {
    private static final List<Turn> TURNS = List.of(
            new Turn(1, 5_000, 6_000), new Turn(0, 1_000, 2_000), new Turn(0, 3_000, 4_000), new Turn(1, 9_000, 9_500));

    @Test
    @DisplayName("are in the order in which the lock was had, within the time that counts")
    void order() {
        assertThat(Handovers.between(1_000, 9_000, TURNS).turns())
                .extracting(Turn::had)
                .containsExactly(1_000L, 3_000L, 5_000L);
    }

    @Test
    @DisplayName("take from one giving it up to the next having it")
    void gaps() {
        assertThat(Handovers.between(0, 10_000, TURNS).gaps(false)).containsExactly(1_000, 1_000, 3_000);
    }

    @Test
    @DisplayName("between processes leave out those within one")
    void between() {
        Handovers all = Handovers.between(0, 8_000, TURNS);
        assertThat(all.gaps(true)).containsExactly(1_000);
        Figures figures = all.figures("x", 2, true);
        assertThat(figures.values()).containsEntry(Figures.RATE, 0.5).containsEntry(Figures.P50, 1.0);
    }

    @Test
    @DisplayName("show two holders at once")
    void overlaps() {
        assertThat(Handovers.between(0, 10_000, TURNS).overlaps()).isZero();
        assertThat(new Handovers(List.of(new Turn(0, 1, 10), new Turn(1, 9, 12))).overlaps())
                .isEqualTo(1);
    }
}

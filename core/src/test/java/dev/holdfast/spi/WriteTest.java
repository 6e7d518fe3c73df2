package dev.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WriteTest {
    private static final RecordKey KEY = new RecordKey("default", "job");

    @Test
    @DisplayName(
            "only a record whose stamp is known can be deleted, so no store has to say what else a delete would mean")
    void deletesByStamp() {
        Precondition.Stamped known = new Precondition.Stamped(new Stamp(7), "", Optional.empty());
        assertThat(Write.delete(KEY, known).record()).isEmpty();
        for (Precondition unknown :
                List.of(new Precondition.Absent(), new Precondition.IdleBelow(new Token(9), List.of()))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Write(
                            KEY,
                            unknown,
                            Optional.empty(),
                            List.of(),
                            Watchable.Wake.NOBODY,
                            false,
                            Optional.empty(),
                            Optional.empty()))
                    .withMessage("lock 'job' in 'default' can be deleted only by its stamp");
        }
    }
}

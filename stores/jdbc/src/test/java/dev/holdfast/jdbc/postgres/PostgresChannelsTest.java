package dev.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.RandomRecords;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("notifications of PostgreSQL")
class PostgresChannelsTest {
    private static final EngineId NEXT = new EngineId("next");
    private static final EngineId LATER = new EngineId("later");

    private final String url = Postgres.newest().freshSchema();
    private final RandomRecords random = new RandomRecords(7);

    @Test
    @DisplayName("of a hand-over reach the engine that is next, with the record, and no other")
    void oneIsWoken() {
        RecordKey key = new RecordKey("default", "wanted");
        LockRecord held = random.busy(key, 1);
        LockRecord offered = random.busy(key, 2);
        LockRecord forced = random.busy(key, 3);
        List<Watchable.Hint> next = new CopyOnWriteArrayList<>();
        List<Watchable.Hint> later = new CopyOnWriteArrayList<>();
        try (RecordStore writer = open();
                RecordStore one = open();
                RecordStore two = open()) {
            Watchable.Watch first = ((Watchable) one).watch(NEXT, next::add);
            Watchable.Watch second = ((Watchable) two).watch(LATER, later::add);
            Locks.write(writer, Write.create(held));
            Locks.write(writer, after(held, offered).withWake(new Watchable.Wake(false, Set.of(NEXT))));
            Locks.write(writer, after(offered, forced).withWake(Watchable.Wake.EVERYBODY));
            // What is told to all comes last, so whoever has heard that has heard everything.
            Await.until("both heard what concerns all", () -> next.size() >= 2 && !later.isEmpty());
            assertThat(next)
                    .containsExactly(
                            new Watchable.Hint(key, Optional.of(Versioned.of(offered))), Watchable.Hint.of(key));
            assertThat(later).containsExactly(Watchable.Hint.of(key));
            first.close();
            second.close();
        }
    }

    @Test
    @DisplayName("that others send on the same channel are passed over")
    void strangers() {
        assertThat(PostgresChannels.read("hello")).isEmpty();
        assertThat(PostgresChannels.read("no namespace:x")).isEmpty();
        assertThat(PostgresChannels.read("default:x\nnot\na\nrecord"))
                .contains(Watchable.Hint.of(new RecordKey("default", "x")));
    }

    private RecordStore open() {
        return PostgresStore.open(url, PostgresConfig.DEFAULT);
    }

    private static Write after(LockRecord before, LockRecord next) {
        return Write.of(new Precondition.Stamped(before.stamp(), "", Optional.empty()), next);
    }
}

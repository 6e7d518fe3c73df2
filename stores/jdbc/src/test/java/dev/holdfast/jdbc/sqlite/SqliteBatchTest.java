package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.KEY;
import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.query;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the contract of all stores does not ask in every form SQLite has a statement for. */
@DisplayName("a batch in an SQLite file")
class SqliteBatchTest {
    private static final LeaseId ENDED = LeaseId.ofBits(1, 2);

    @TempDir
    Path directory;

    private Path file = Path.of("");
    private RecordStore store = MemoryStore.exclusive();

    @BeforeEach
    void open() {
        file = directory.resolve("locks.db");
        store = SqliteStore.open(file, SqliteConfig.shared());
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** A record nobody holds, that remembers one ended lease. */
    private LockRecord putIdle() {
        return put(store, held(KEY, new Hold[0]).withPast(Past.NONE.with(ENDED, LostReason.RELEASED, START)));
    }

    private WriteResult replaceIdle(LeaseId... leases) {
        LockRecord next = held(KEY);
        Precondition idle = new Precondition.IdleBelow(new Token(next.fence().value() + 1), List.of(leases));
        return Locks.write(store, Write.of(idle, next));
    }

    @Test
    @DisplayName("what is refused is decided again under the same lock, and written; what fits is not asked about")
    void again() {
        LockRecord there = put(store, held(KEY, new Hold[0]));
        LockRecord other = held(KEY, hold("other", START, START.plusSeconds(30)));
        LockRecord next = held(KEY, hold("next", START, START.plusSeconds(30)));
        List<Optional<Versioned>> asked = new ArrayList<>();
        Write.Again again = current -> {
            asked.add(current);
            return Optional.of(Locks.stamped(current.orElseThrow().record(), next));
        };
        assertThat(Locks.write(store, with(Locks.stamped(held(KEY), other), again)))
                .isInstanceOf(WriteResult.Applied.class);
        assertThat(asked).extracting(it -> it.orElseThrow().record()).containsExactly(there);
        assertThat(read(store, KEY)).isEqualTo(next);

        assertThat(Locks.write(store, with(Locks.stamped(next, other), again))).isInstanceOf(WriteResult.Applied.class);
        assertThat(asked).as("it fitted").hasSize(1);
        assertThat(Locks.write(store, with(Locks.stamped(next, there), current -> Optional.empty())))
                .isEqualTo(new WriteResult.Refused(Optional.of(Versioned.of(other))));
        assertThat(read(store, KEY)).isEqualTo(other);
    }

    private static Write with(Write write, Write.Again again) {
        return write.withAgain(again);
    }

    @Test
    @DisplayName("an ended lease is recognised, whether it comes alone or among many")
    void endedLease() {
        LockRecord idle = putIdle();
        assertThat(replaceIdle(ENDED)).isInstanceOf(WriteResult.Refused.class);
        List<LeaseId> many = new ArrayList<>();
        for (int i = 10; i < 2_000; i++) {
            many.add(LeaseId.ofBits(i, i));
        }
        many.add(ENDED);
        assertThat(replaceIdle(many.toArray(LeaseId[]::new))).isInstanceOf(WriteResult.Refused.class);
        assertThat(read(store, KEY)).isEqualTo(idle);
        many.remove(ENDED);
        assertThat(replaceIdle(many.toArray(LeaseId[]::new))).isInstanceOf(WriteResult.Applied.class);
    }

    @Test
    @DisplayName("another lease alone, or none, replaces the idle record and leaves its memory")
    void otherLease() {
        LockRecord idle = putIdle();
        assertThat(replaceIdle(LeaseId.ofBits(3, 4))).isEqualTo(new WriteResult.Applied("", Optional.of(idle.past())));
        assertThat(read(store, KEY).past()).isEqualTo(idle.past());
        assertThat(read(store, KEY).holds()).hasSize(1);
    }

    @Test
    @DisplayName("the plain columns follow every way of writing")
    void plainColumnsFollow() throws SQLException {
        String columns = "select busy, owner, fence, format from holdfast_lock";
        putIdle();
        assertThat(query(file, columns)).containsExactly("0|null|5|1");
        replaceIdle(LeaseId.ofBits(3, 4));
        assertThat(query(file, columns)).containsExactly("1|worker-1|5|1");
        LockRecord now = read(store, KEY);
        Locks.write(store, Locks.stamped(now, held(KEY, hold("worker-2", START, START.plusSeconds(1)))));
        assertThat(query(file, columns)).containsExactly("1|worker-2|5|1");
        Locks.write(store, Locks.stamped(read(store, KEY), held(KEY, new Hold[0])));
        assertThat(query(file, columns)).containsExactly("0|null|5|1");
    }

    @Test
    @DisplayName("an empty batch is no work")
    void emptyBatch() {
        assertThat(store.write(List.of()).toCompletableFuture()).isCompletedWithValue(List.of());
    }

    @Test
    @DisplayName("events come in the order of the writes they belong to")
    void orderOfEvents() throws SQLException {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            writes.add(Locks.absent(
                    held(Locks.key("lock-" + i)),
                    Locks.event(Locks.key("lock-" + i), EventType.QUEUED, START),
                    Locks.event(Locks.key("lock-" + i), EventType.ACQUIRED, START)));
        }
        Await.get(store.write(writes));
        assertThat(query(file, "select name, type from holdfast_event order by number"))
                .startsWith("lock-0|queued", "lock-0|acquired", "lock-1|queued")
                .hasSize(10);
    }
}

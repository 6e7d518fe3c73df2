package dev.holdfast.jdbc;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.spi.RecordStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What people see with plain SQL. The views compare with the real clock, so the times here are after it or long before. */
public abstract class ViewCases {
    protected static final Instant LATER = Instant.parse("2999-01-01T00:00:00.5Z");

    protected RecordStore store = MemoryStore.exclusive();

    /** A store on an empty place. */
    protected abstract RecordStore open();

    /** The rows of a query there, the columns of each joined by {@code |}. */
    protected abstract List<String> query(String sql) throws SQLException;

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    protected static Hold part(String path, Mode mode, Map<String, String> metadata) {
        return hold("pod-1", LockPath.of(path), mode, START, LATER, metadata);
    }

    protected static Hold with(Hold hold, Scope scope, Hold.Phase phase) {
        return new Hold(
                hold.leaseId(),
                scope,
                hold.owner(),
                hold.token(),
                hold.grantedAt(),
                hold.renewedAt(),
                hold.expiresAt(),
                hold.terms(),
                phase,
                hold.ticket(),
                hold.stale());
    }

    @Test
    @DisplayName("no name means two locks: one that would is used for neither")
    void namesAreUnique() throws SQLException {
        put(store, held(key("a"), part("", Mode.EXCLUSIVE, Map.of("label", "same"))));
        put(store, held(key("b"), part("", Mode.EXCLUSIVE, Map.of("label", "same"))));
        put(store, held(key("c"), part("", Mode.EXCLUSIVE, Map.of("label", "d"))));
        put(store, held(key("d"), part("", Mode.EXCLUSIVE, Map.of("label", "alone"))));
        put(store, held(key("e"), part("", Mode.EXCLUSIVE, Map.of("label", "[ns] x1"))));
        put(store, held(new RecordKey("ns", "x1"), part("", Mode.EXCLUSIVE, Map.of())));
        put(store, held(key("ns:x1"), part("", Mode.EXCLUSIVE, Map.of())));
        put(store, held(key("p"), part("q", Mode.EXCLUSIVE, Map.of())));
        put(store, held(key("p/q"), part("", Mode.EXCLUSIVE, Map.of())));
        assertThat(query("select lock_name from database_lock order by id"))
                .containsExactly("a", "b", "c", "alone", "e", "[ns] x1", "[default] ns:x1", "p/q");
        assertThat(query("select lock_name from distributed_locks order by id"))
                .containsExactly(
                        "a", "b", "c", "alone", "e", "[ns] x1", "[default] ns:x1", "[default#8] p/q", "[default] p/q");
    }
}

package dev.holdfast.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the check of disks")
class DiskCheckTest {
    @TempDir
    Path directory;

    private HealthPart look(long minFree, boolean needed) {
        Path file = directory.resolve("not/there/yet.db");
        return new DiskCheck(List.of(new DiskCheck.Place("the store", file, needed)), minFree).look();
    }

    @Test
    @DisplayName("is down when less is free than must be, also where the file is not there yet, and says what to do")
    void scarce() {
        assertThat(look(1, true).status()).isEqualTo(HealthPart.Status.UP);
        HealthPart full = look(Long.MAX_VALUE, true);
        assertThat(full.status()).isEqualTo(HealthPart.Status.DOWN);
        assertThat(full.detail())
                .contains("nearly full", "for the store", "server.health.min-free")
                .doesNotContain(directory.toString());
    }

    @Test
    @DisplayName("only warns where the server can do without it, and is off where nothing is written")
    void less() {
        assertThat(look(Long.MAX_VALUE, false).status()).isEqualTo(HealthPart.Status.WARN);
        assertThat(new DiskCheck(List.of(), Long.MAX_VALUE).look().status()).isEqualTo(HealthPart.Status.OFF);
        assertThat(new DiskCheck(List.of(), 0).leastFree()).isEmpty();
    }

    @Test
    @DisplayName("knows the files of a store, with what is beside them, and none of others")
    void files() throws IOException {
        for (String name : List.of("holdfast.db", "holdfast.db-wal", "holdfast-documents.db", "other.txt")) {
            Files.writeString(directory.resolve(name), "1234");
        }
        DiskCheck disk =
                new DiskCheck(List.of(new DiskCheck.Place("the store", directory.resolve("holdfast.db"), true)), 0);
        assertThat(disk.files())
                .extracting(DiskCheck.Size::name)
                .containsExactlyInAnyOrder("holdfast.db", "holdfast.db-wal", "holdfast-documents.db");
        assertThat(disk.files()).allMatch(file -> file.bytes() == 4);
    }
}

package dev.holdfast.state.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Terms;
import dev.holdfast.testkit.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what terraform says of its lock")
final class LockInfoFuzzTest {
    @Test
    @DisplayName(
            "however damaged, is refused in so many words, or fits into the terms of a lock and comes back byte for byte")
    void damaged() {
        Fuzz.of(
                        "{\"ID\":\"9b3d-1\",\"Operation\":\"OperationTypeApply\",\"Info\":\"\",\"Who\":\"alice@host\","
                                + "\"Version\":\"1.9.0\",\"Created\":\"2026-11-16T11:05:12.123456Z\",\"Path\":\"\"}",
                        "{\"ID\":\"x\",\"Extra\":{\"a\":[1,null]},\"Who\":\"ünï \\u202e\"}",
                        "{\"ID\":\"\",\"Operation\":7}")
                .run(text -> {
                    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
                    TerraformLockInfo info;
                    try {
                        info = TerraformLockInfo.parse(raw);
                    } catch (IllegalArgumentException e) {
                        return;
                    }
                    Terms terms = info.terms(Duration.ofHours(1));
                    TerraformLockInfo.kept(terms.metadata())
                            .ifPresent(kept -> assertThat(kept).isEqualTo(raw));
                    assertThat(info.operation().length()).isLessThanOrEqualTo(200);
                    info.who();
                });
    }
}

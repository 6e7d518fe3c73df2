package dev.holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the key of a lock")
class LockKeyTest {
    @ParameterizedTest
    @CsvSource({
        "stack:zz:env:p,                                   stack:zz:env:p, ''",
        "stack:zz:env:p:service:user-service,              stack:zz:env:p, user-service",
        "stack:zz:env:p:component:user-service/api,        stack:zz:env:p, user-service/api",
        "stack:zz:env:p:component:user-service/api/worker, stack:zz:env:p, user-service/api/worker",
        "nightly:service:x,                                nightly:service:x, ''",
    })
    @DisplayName("of a deployment may spell a part of the stack, and is that part then")
    void parts(String name, String record, String path) {
        LockKey key = LockKey.of("deploy", name);
        assertThat(key.name()).isEqualTo(record);
        assertThat(key.path().value()).isEqualTo(path);
        assertThat(LockKey.of("other", name).name())
                .as("elsewhere it is a name like any other")
                .isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stack:zz:env:p:service:",
                "stack:zz:env:p:service",
                "stack:zz:env:p:service:a/b",
                "stack:zz:env:p:service:a:b",
                "stack:zz:env:p:component:api",
                "stack:zz:env:p:component:a//b",
                "stack:zz:env:p:component:a/b/",
                "stack:zz:env:p:component:a/.b",
                "stack:zz:service:a",
                "stack::env:p:service:a",
                "stack:zz:env:p:service:a:component:b/c",
            })
    @DisplayName("that looks like such a part and is none is refused, saying how it is written")
    void malformed(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKey.of("deploy", name))
                .withMessageContaining(":component:{service}/{component}");
    }
}

package dev.holdfast.spring.fake;

import dev.holdfast.spring.HoldfastAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * On a test of an application: its locks are {@link dev.holdfast.test.FakeLocks}, in memory and with a clock that only the test moves. The
 * test can have the {@code FakeLocks} injected, and let locks be busy, lost or out of reach. Works with {@code @SpringBootTest}, with slices
 * such as {@code @JdbcTest}, and with a plain {@code @SpringJUnitConfig}. Needs holdfast-test.
 *
 * <pre>{@code
 * @SpringBootTest
 * @WithFakeLocks
 * class SyncTest {
 *     @Autowired FakeLocks locks;
 *     ...
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import(FakeLocksConfiguration.class)
@ImportAutoConfiguration(HoldfastAutoConfiguration.class)
public @interface WithFakeLocks {}

package dev.holdfast.ci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ci.JenkinsSteps.Build;
import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import java.io.IOException;
import java.nio.file.Path;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.runtime.MethodClosure;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The step of deploy/jenkins, in pipelines whose shells really run, against a real server. */
@DisplayName("withHoldfastLock for Jenkins")
class JenkinsStepTest {
    private static final Path STEP = Path.of("../deploy/jenkins/vars/withHoldfastLock.groovy");

    @TempDir
    private static Path directory;

    private static CiMachine machine;

    private Build build;

    @BeforeAll
    static void prepare() throws IOException {
        machine = CiMachine.in(directory);
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    @BeforeEach
    void newBuild() throws IOException {
        build = new Build(machine, machine.job());
        build.variables.put("HOLDFAST_SERVER", machine.url());
    }

    private Object run(String pipeline) throws IOException {
        CompilerConfiguration steps = new CompilerConfiguration();
        steps.setScriptBaseClass(JenkinsSteps.class.getName());
        Binding binding = new Binding();
        binding.setVariable("build", build);
        GroovyShell groovy = new GroovyShell(getClass().getClassLoader(), binding, steps);
        binding.setVariable("withHoldfastLock", new MethodClosure(groovy.parse(STEP.toFile()), "call"));
        return groovy.evaluate(pipeline);
    }

    @Test
    @DisplayName("holds the lock while the steps inside run, shows them its token, and gives back what they return")
    void held() throws Exception {
        Object result = run("""
                withHoldfastLock(lock: 'deploy:steps', lease: '3s') {
                    build.log.append(build.machine.look('deploy:steps'))
                    sh 'echo "token $HOLDFAST_FENCING_TOKEN $HOLDFAST_LEASE_ID"'
                    'done'
                }
                """);

        assertThat(result).isEqualTo("done");
        assertThat(build.log.toString())
                .contains("\"held\":true", "shop 17", "https://ci.example.com/job/shop/17/")
                .containsPattern("token \\d+ \\S+");
        assertThat(machine.isHeld("deploy:steps")).isFalse();
        assertThat(build.variables).doesNotContainKey("HF_LOCK");
    }

    @Test
    @DisplayName("the build fails if the lock was lost, even if the steps inside succeeded")
    void lost() {
        assertThatThrownBy(() -> run("""
                        withHoldfastLock(lock: 'deploy:lost') {
                            build.machine.force('deploy:lost')
                        }
                        """)).hasMessage("withHoldfastLock: deploy:lost was lost before it was released");
        assertThat(build.log.toString()).contains("lost before it was released");
    }

    @Test
    @DisplayName("does not run the steps inside when another has the lock")
    void busy() throws Exception {
        machine.take("deploy:busy");
        assertThatThrownBy(() -> run("withHoldfastLock(lock: 'deploy:busy', wait: '0') { sh 'touch ran' }"))
                .hasMessage("script returned exit code 75");
        assertThat(build.place.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName(
            "releases it when a step inside fails, and tells that failure; the steps do not see the token it was given")
    void failing() throws Exception {
        build.variables.put("HOLDFAST_SERVER", "http://127.0.0.1:9");
        assertThatThrownBy(() -> run("withHoldfastLock(lock: 'deploy:fails', server: '" + machine.url()
                        + "', credentialsId: 'locks') { sh 'echo \"token: $HOLDFAST_TOKEN.\"; exit 7' }"))
                .hasMessage("script returned exit code 7");
        assertThat(build.log.toString()).contains("token: .");
        assertThat(machine.past("deploy:fails")).contains("lock.released");
        assertThat(machine.isHeld("deploy:fails")).isFalse();
    }

    @Test
    @DisplayName("refuses an option it does not know, and a call without a lock, before anything is done")
    void mistakes() {
        assertThatThrownBy(() -> run("withHoldfastLock(lock: 'a', waits: '1m') { sh 'touch ran' }"))
                .hasMessageContaining("unknown option 'waits'");
        assertThatThrownBy(() -> run("withHoldfastLock(wait: '1m') { sh 'touch ran' }"))
                .hasMessageContaining("name the lock");
        assertThat(build.place).isEmptyDirectory();
    }
}

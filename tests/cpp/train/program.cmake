# The program behind `npm run train`: cmake -DPROGRAM=... -DFOLDER=... -P program.cmake. What it refuses is one sentence, before the first
# step, and what was trained is not lost.

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/folder")

# Runs it; `said` is all that it has said, `status` its exit code.
macro(run)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
endmacro()

function(expect_refused sentence)
  run(${ARGN})
  string(FIND "${said}" "${sentence}" at)
  # It begins with the sentence: a line of progress would come before it.
  if(NOT status EQUAL 1 OR NOT at EQUAL 0)
    message(SEND_ERROR "${ARGN}\nexpected: ${sentence}\nexit code ${status}: ${said}")
  endif()
endfunction()

function(expect_trained pattern)
  run(${ARGN})
  if(NOT status EQUAL 0 OR NOT said MATCHES "${pattern}")
    message(SEND_ERROR "${ARGN}\nexpected: ${pattern}\nexit code ${status}: ${said}")
  endif()
endfunction()

expect_refused("task: is missing; expected a task id" --steps 1)
expect_refused("task: \"ordr\" is unknown" ordr)
expect_refused("encoding: \"rop\" is unknown" order --encoding rop)
expect_refused("task: \"copy\" is a second task; expected only one" order copy)
expect_refused("layrs: is not a field of the config" order --layrs 2)
expect_refused("bass: is not a parameter of rope" order --encoding rope --encoding.bass 3)
expect_refused("--steps: requires a value" order --steps)
expect_refused("steps: 1.5 is not a whole number" order --steps 1.5)
expect_refused("--seeds: \"0\" is not a whole number of at least 1" order --seeds 0)
expect_refused("--lengths: \"\" is not a whole number of at least 1" order --lengths 16,,32)
expect_refused("batch_size: a step of 65536 items of 4096 tokens needs" order --batch_size 65536 --sequence_length 4096)

file(WRITE "${FOLDER}/empty.txt" "")
file(WRITE "${FOLDER}/short.txt" "To be, or not to be")
expect_refused("\"nowhere.txt\" cannot be read" text --corpus nowhere.txt)
expect_refused("corpus: is empty" text --corpus empty.txt)
expect_refused("corpus: 19 symbols are too few" text --corpus short.txt)
expect_refused("\"short.txt\" is not an 8-bit binary PGM or PPM file" image --image short.txt)

# What would end a training behind its last step.
expect_refused("lengths: 32 tokens exceed the table of learned, whose last row is 15" order --encoding learned --lengths 16,32)
expect_trained("length +32: " order --encoding learned --lengths 16,32 --clamp --steps 1 --batch_size 4)
expect_refused("encoding: the last table row of learned is 7" order --encoding learned --encoding.max_length 8)
expect_refused("\"nowhere/weights\" cannot be written" order --weights nowhere/weights)
expect_refused("\"nowhere/curve.json\" cannot be written" order --out nowhere/curve.json)
expect_refused("\"folder\" cannot be written" order --out folder)

# A checkpoint that is none; one that is.
set(small order --encoding rope --batch_size 4 --embed_dim 16 --heads 2 --checkpoint small)
file(WRITE "${FOLDER}/small.1" "abcdefgh")
expect_refused("weights: the file is not a safetensors file" ${small} --resume)
expect_trained("step 2/2" ${small} --steps 2)
expect_trained("continuing from step 2" ${small} --steps 2 --resume)
expect_refused("checkpoint: belongs to another training run" ${small} --steps 3 --resume)

# A divergence keeps the last good weights, and says where.
run(copy --lr 1000 --optimizer sgd --max_grad_norm 0 --warmup_steps 0 --steps 50 --every 50 --norm rms_norm --batch_size 4 --checkpoint diverged)
set(undone "step: [0-9]+ has a [a-z]+ that is not finite; the weights of step ([0-9]+) are kept")
if(NOT status EQUAL 1 OR NOT said MATCHES "saved step ([0-9]+) in \"diverged.1\"\n${undone}")
  message(SEND_ERROR "a divergence: exit code ${status}: ${said}")
elseif(NOT CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
  message(SEND_ERROR "the checkpoint has step ${CMAKE_MATCH_1}, the trainer step ${CMAKE_MATCH_2}")
elseif(NOT EXISTS "${FOLDER}/diverged.1")
  message(SEND_ERROR "there is no checkpoint of the last good weights")
endif()
